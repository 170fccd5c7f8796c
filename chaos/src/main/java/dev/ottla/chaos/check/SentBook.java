package dev.ottla.chaos.check;

import dev.ottla.chaos.history.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What writers sent: to which partition, and in which line of the history. Owned by one thread.
final class SentBook {
    private final Map<Integer, Sendings> byWriter = new HashMap<>();
    private final Map<String, Integer> partitions = new HashMap<>();
    private final List<String> names = new ArrayList<>();

    /// Ascending in numbers, as writers count.
    private static final class Sendings {
        final LongList numbers = new LongList();
        final LongList counts = new LongList();
        final LongList partitions = new LongList();
        final LongList lines = new LongList();
    }

    void add(long line, Event.Sent sent) {
        Sendings sendings = byWriter.computeIfAbsent(sent.writer(), _ -> new Sendings());
        int last = sendings.numbers.size() - 1;
        if (sendings.numbers.get(last) + sendings.counts.get(last) > sent.number()) {
            throw new IllegalArgumentException(
                    "line %d: writer %d counts back to %d"
                            .formatted(line, sent.writer(), sent.number()));
        }
        sendings.numbers.add(sent.number());
        sendings.counts.add(sent.count());
        sendings.partitions.add(partitionId(sent.partition()));
        sendings.lines.add(line);
    }

    private int partitionId(String name) {
        return partitions.computeIfAbsent(
                name,
                _ -> {
                    names.add(name);
                    return names.size() - 1;
                });
    }

    /// The line in which it was sent to this partition; [LongList#ABSENT] when it never was.
    long lineOf(long value, String partition) {
        Sendings sendings = byWriter.get(Value.writer(value));
        if (sendings == null) {
            return LongList.ABSENT;
        }
        long number = Value.number(value);
        int index = sendings.numbers.floorIndex(number);
        boolean known =
                index >= 0
                        && number < sendings.numbers.get(index) + sendings.counts.get(index)
                        && names.get((int) sendings.partitions.get(index)).equals(partition);
        return known ? sendings.lines.get(index) : LongList.ABSENT;
    }
}
