package dev.ottla.log;

import dev.ottla.log.segment.Segment;
import java.util.ArrayList;
import java.util.List;

/// The segments of one log by ascending base offset. Owned by the shard thread.
final class SegmentList {
    private final ArrayList<Segment> segments;

    SegmentList(List<Segment> initial) {
        segments = new ArrayList<>(initial);
    }

    int count() {
        return segments.size();
    }

    boolean isEmpty() {
        return segments.isEmpty();
    }

    Segment at(int index) {
        return segments.get(index);
    }

    Segment last() {
        return segments.getLast();
    }

    void addAll(List<Segment> later) {
        segments.addAll(later);
    }

    void add(Segment segment) {
        segments.add(segment);
    }

    /// Index of the segment that an offset belongs to: the last one that starts at or before it; -1
    /// before the first.
    int floor(long offset) {
        int low = 0;
        int high = segments.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (segments.get(middle).baseOffset() <= offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    /// Takes out the first `count` segments.
    List<Segment> removeFirst(int count) {
        return remove(0, count);
    }

    /// Takes out all segments from an index on.
    List<Segment> removeFrom(int index) {
        return remove(index, segments.size());
    }

    private List<Segment> remove(int from, int to) {
        List<Segment> range = segments.subList(from, to);
        List<Segment> removed = List.copyOf(range);
        range.clear();
        return removed;
    }

    List<Segment> all() {
        return segments;
    }

    long sizeBytes() {
        long size = 0;
        for (Segment segment : segments) {
            size += segment.sizeBytes();
        }
        return size;
    }
}
