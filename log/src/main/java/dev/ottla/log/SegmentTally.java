package dev.ottla.log;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.segment.DamagedLogException;
import dev.ottla.log.segment.Segment;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How many segments each log of a directory had when it was closed in order, and how large they
/// were together, so that files which went missing meanwhile are noticed at the next opening without
/// reading any. Offsets alone don't tell: compaction leaves gaps between segments too. Thread-safe:
/// guarded by its monitor.
///
///     0                          version
///     1                          number of entries
///     orders 3 4 3840 closed     topic, partition, segments, bytes, standing
///     orders 4 1 512 closed 4Q1lnkXvTPOZ5dYzbl8vAA 0 7     and topic id, first offset, end offset
///
/// What was `closed` counts for the one opening that follows a stop in order. With the last three
/// fields the log can be answered for before its files are looked at ([RestingLog]). What is `missed`
/// was found incomplete at an opening, and counts until the files are back.
final class SegmentTally {
    static final String NAME = "ottla-segments-at-stop";

    private static final Logger LOG = LoggerFactory.getLogger(SegmentTally.class);
    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final String CLOSED = "closed";
    private static final String MISSED = "missed";

    private final Disk disk;
    private final Path file;
    private final Map<TopicPartition, Entry> entries = new TreeMap<>();

    /// @param missed whether the files were not there at an opening
    /// @param resting what is known of the log besides
    private record Entry(
            int segments, long bytes, boolean missed, Optional<RestingLog.Facts> resting) {}

    /// @param clean whether the last user of the directory was a broker of ours that stopped in
    ///   order
    SegmentTally(Disk disk, Path root, boolean clean) throws IOException {
        this.disk = disk;
        file = root.resolve(NAME);
        Optional<String> text = DiskIo.readText(disk, file);
        if (text.isPresent() && !parse(text.get().lines().toList())) {
            LOG.error("{} is damaged: it is not noticed if segments are missing.", file);
            entries.clear();
        }
        entries.values().removeIf(entry -> !clean && !entry.missed());
    }

    private boolean parse(List<String> lines) {
        try {
            if (lines.size() < 2
                    || Integer.parseInt(lines.get(0)) != 0
                    || Integer.parseInt(lines.get(1)) != lines.size() - 2) {
                return false;
            }
            for (String line : lines.subList(2, lines.size())) {
                String[] fields = SPACE.split(line, -1);
                if (fields.length != 5 && fields.length != 8) {
                    return false;
                }
                entries.put(
                        new TopicPartition(fields[0], Integer.parseInt(fields[1])), entry(fields));
            }
            return true;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static Entry entry(String[] fields) {
        int segments = Integer.parseInt(fields[2]);
        long bytes = Long.parseLong(fields[3]);
        boolean missed = fields[4].equals(MISSED);
        Optional<RestingLog.Facts> resting = Optional.empty();
        if (fields.length == 8 && !missed) {
            resting =
                    Optional.of(
                            new RestingLog.Facts(
                                    Uuid.parse(fields[5]),
                                    segments,
                                    bytes,
                                    Long.parseLong(fields[6]),
                                    Long.parseLong(fields[7])));
        }
        return new Entry(segments, bytes, missed, resting);
    }

    /// What is known of a log that was closed in order, if that is enough to answer for it.
    synchronized Optional<RestingLog.Facts> resting(TopicPartition partition) {
        Entry entry = entries.get(partition);
        return entry == null ? Optional.empty() : entry.resting();
    }

    /// The log is what it was and in use from now on: what is known of it is out of date.
    synchronized void onOpened(TopicPartition partition) {
        entries.remove(partition);
    }

    /// Throws when there is less than there was. More is no loss: recovery judges it.
    synchronized void verify(TopicPartition partition, Path directory, List<Segment> found)
            throws IOException {
        Entry entry = entries.get(partition);
        if (entry == null) {
            return;
        }
        long bytes = found.stream().mapToLong(Segment::sizeBytes).sum();
        if (found.size() >= entry.segments() && bytes >= entry.bytes()) {
            entries.remove(partition);
            if (entry.missed()) {
                write();
            }
            return;
        }
        if (!entry.missed()) {
            entries.put(
                    partition, new Entry(entry.segments(), entry.bytes(), true, Optional.empty()));
            write();
        }
        throw new DamagedLogException(
                "%s has %d segments of together %d bytes (%s), but when it was closed there were %d of %d bytes: records that were on disk are lost. Put the files back from a copy and start the broker again; or, to go on with what is there, stop it and take the line of %s out of %s, with one less in its second line"
                        .formatted(
                                directory,
                                found.size(),
                                bytes,
                                names(found),
                                entry.segments(),
                                entry.bytes(),
                                partition,
                                file));
    }

    private static String names(List<Segment> found) {
        return found.isEmpty()
                ? "none"
                : found.stream()
                        .limit(20)
                        .map(segment -> Long.toString(segment.baseOffset()))
                        .collect(
                                Collectors.joining(
                                        ", ", "from offsets ", found.size() > 20 ? ", …" : ""));
    }

    /// A log was closed with all of it durable.
    synchronized void onClosed(TopicPartition partition, int segments, long bytes) {
        entries.put(partition, new Entry(segments, bytes, false, Optional.empty()));
    }

    /// The same of one that may rest after the next start.
    synchronized void onClosed(TopicPartition partition, RestingLog.Facts facts) {
        entries.put(
                partition, new Entry(facts.segments(), facts.bytes(), false, Optional.of(facts)));
    }

    /// The log is gone from here.
    synchronized void remove(TopicPartition partition) throws IOException {
        Entry entry = entries.remove(partition);
        if (entry != null && entry.missed()) {
            write();
        }
    }

    private static String format(RestingLog.Facts facts) {
        return " " + facts.topicId() + " " + facts.startOffset() + " " + facts.endOffset();
    }

    /// Durable on return.
    synchronized void write() throws IOException {
        StringBuilder text = new StringBuilder(64 + 48 * entries.size());
        text.append("0\n").append(entries.size()).append('\n');
        entries.forEach((partition, entry) ->
                text.append(partition.topic())
                        .append(' ')
                        .append(partition.partition())
                        .append(' ')
                        .append(entry.segments())
                        .append(' ')
                        .append(entry.bytes())
                        .append(entry.missed() ? " " + MISSED : " " + CLOSED)
                        .append(entry.resting().map(SegmentTally::format).orElse(""))
                        .append('\n'));
        DiskIo.replaceText(disk, file, text.toString());
    }
}
