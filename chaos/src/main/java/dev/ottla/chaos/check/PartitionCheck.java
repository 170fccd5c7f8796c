package dev.ottla.chaos.check;

import dev.ottla.chaos.check.Anomaly.Kind;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The records of one partition: what was acknowledged, read and stored at each offset. Owned by
/// one thread.
final class PartitionCheck {
    private final String name;
    private final int keys;
    private final SentBook sent;
    private final Findings findings;
    private final ReplicaCheck replicas;

    /// By offset: the value that an acknowledgement or a reader named first.
    private final LongList seen = new LongList();

    /// By offset: the line of the acknowledgement.
    private final LongList acknowledgedIn = new LongList();

    private final Set<Long> refused = new HashSet<>();
    private final Map<String, Long> nextOfReaders = new HashMap<>();

    private long highWatermark;
    private long logStart;

    PartitionCheck(String name, int keys, SentBook sent, Findings findings) {
        this.name = name;
        this.keys = keys;
        this.sent = sent;
        this.findings = findings;
        replicas = new ReplicaCheck(name, keys, findings);
    }

    ReplicaCheck replicas() {
        return replicas;
    }

    /// Exclusive: what is known to be below the high watermark, because it was acknowledged or read
    /// or because a leader said so.
    long highWatermark() {
        return highWatermark;
    }

    long logStart() {
        return logStart;
    }

    void onAcknowledged(long line, Event.Acknowledged event) {
        for (int i = 0; i < event.count(); i++) {
            long offset = event.offset() + i;
            long value = Value.of(event.writer(), event.number() + i);
            see(line, offset, value);
            if (acknowledgedIn.get(offset) == LongList.ABSENT) {
                acknowledgedIn.set(offset, line);
            }
        }
        highWatermark = Math.max(highWatermark, event.offset() + event.count());
    }

    void onRefused(Event.Refused event) {
        for (int i = 0; i < event.count(); i++) {
            refused.add(Value.of(event.writer(), event.number() + i));
        }
    }

    /// From here on the reader may begin anywhere, as the group says.
    void readerLeaves(String reader) {
        nextOfReaders.remove(reader);
    }

    void onRead(long line, Event.Read event) {
        Long expected = nextOfReaders.get(event.reader());
        if (expected != null) {
            checkContinues(line, event, expected);
        }
        long offset = event.offset();
        for (Span span : event.values()) {
            for (int i = 0; i < span.count(); i++) {
                see(line, offset++, Value.of(span.writer(), span.number() + i));
            }
        }
        nextOfReaders.put(event.reader(), offset);
        highWatermark = Math.max(highWatermark, offset);
    }

    private void checkContinues(long line, Event.Read event, long expected) {
        if (event.offset() < expected) {
            add(
                    Kind.READER_WENT_BACK,
                    "%s reads %s at offset %d after it had read up to %d"
                            .formatted(event.reader(), name, event.offset(), expected),
                    event.offset(),
                    line);
        } else if (event.offset() > Math.max(expected, logStart) && keys == 0) {
            add(
                    Kind.READER_SKIPPED,
                    "%s goes on at offset %d of %s after it had read up to %d"
                            .formatted(event.reader(), event.offset(), name, expected),
                    expected,
                    line);
        }
    }

    private void see(long line, long offset, long value) {
        long before = seen.get(offset);
        if (before == LongList.ABSENT) {
            seen.set(offset, value);
            if (sent.lineOf(value, name) == LongList.ABSENT) {
                addValue(
                        Kind.NOBODYS_RECORD,
                        "value %s is at offset %d of %s, where nobody wrote it"
                                .formatted(Value.text(value), offset, name),
                        offset,
                        List.of(Value.text(value)),
                        line);
            }
        } else if (before != value) {
            addValue(
                    Kind.TWO_VALUES,
                    "offset %d of %s was value %s and is %s"
                            .formatted(offset, name, Value.text(before), Value.text(value)),
                    offset,
                    List.of(Value.text(before), Value.text(value)),
                    line);
        }
    }

    /// @param atLeast what was known when the question was asked
    void onHighWatermark(long line, long found, long atLeast) {
        if (found < atLeast) {
            add(
                    Kind.HIGH_WATERMARK_WENT_BACK,
                    "%s says its high watermark is %d, after %d was known to be below it"
                            .formatted(name, found, atLeast - 1),
                    found,
                    line);
        }
        highWatermark = Math.max(highWatermark, found);
    }

    void onLogStart(long line, long found, long atLeast) {
        if (found < atLeast) {
            add(
                    Kind.LOG_START_WENT_BACK,
                    "%s says its log starts at %d, after it had said %d"
                            .formatted(name, found, atLeast),
                    found,
                    line);
        }
        logStart = Math.max(logStart, found);
    }

    /// At the end of the history.
    void finish() {
        replicas.finish();
        LongList last = seen;
        if (replicas.areKnown()) {
            last = replicas.stored();
            checkKept();
        }
        checkOrder(last);
        checkRealTime(last);
    }

    private void checkKept() {
        LongList stored = replicas.stored();
        for (long offset = replicas.start(); offset < seen.size(); offset++) {
            long value = seen.get(offset);
            if (value == LongList.ABSENT || stored.get(offset) == value) {
                continue;
            }
            boolean isGone = stored.get(offset) == LongList.ABSENT;
            if (isGone && keys > 0 && replicas.hasLaterOfKey(value, offset)) {
                continue; // compacted
            }
            long line = acknowledgedIn.get(offset);
            boolean wasAcknowledged = line != LongList.ABSENT;
            addValue(
                    lost(wasAcknowledged, isGone),
                    "value %s was %s at offset %d of %s, where in the end %s is stored"
                            .formatted(
                                    Value.text(value),
                                    wasAcknowledged ? "acknowledged" : "read",
                                    offset,
                                    name,
                                    Value.text(stored.get(offset))),
                    offset,
                    List.of(Value.text(value)),
                    wasAcknowledged ? line : 0);
        }
    }

    private static Kind lost(boolean wasAcknowledged, boolean isGone) {
        if (wasAcknowledged) {
            return Kind.ACKNOWLEDGED_WRITE_LOST;
        }
        return isGone ? Kind.READ_RECORD_LOST : Kind.TWO_VALUES;
    }

    private void checkOrder(LongList values) {
        Map<Integer, Long> lastOfWriters = new HashMap<>();
        for (long offset = 0; offset < values.size(); offset++) {
            long value = values.get(offset);
            if (value == LongList.ABSENT) {
                continue;
            }
            if (sent.lineOf(value, name) == LongList.ABSENT && seen.get(offset) != value) {
                addValue(
                        Kind.NOBODYS_RECORD,
                        "value %s is stored at offset %d of %s, where nobody wrote it"
                                .formatted(Value.text(value), offset, name),
                        offset,
                        List.of(Value.text(value)),
                        0);
            }
            if (refused.contains(value)) {
                addValue(
                        Kind.REFUSED_WRITE_STORED,
                        "value %s was refused and is at offset %d of %s"
                                .formatted(Value.text(value), offset, name),
                        offset,
                        List.of(Value.text(value)),
                        0);
            }
            long number = Value.number(value);
            long last = lastOfWriters.getOrDefault(Value.writer(value), -1L);
            if (number > last) {
                lastOfWriters.put(Value.writer(value), number);
            } else {
                addOutOfOrder(values, offset, value, last);
            }
        }
    }

    private void addOutOfOrder(LongList values, long offset, long value, long last) {
        for (long earlier = 0; earlier < offset; earlier++) {
            if (values.get(earlier) == value) {
                String text =
                        "value %s is at offsets %d and %d of %s"
                                .formatted(Value.text(value), earlier, offset, name);
                Anomaly duplicate =
                        new Anomaly(
                                Kind.DUPLICATE,
                                text,
                                name,
                                List.of(earlier, offset),
                                List.of(Value.text(value)),
                                List.of());
                findings.add(Kind.DUPLICATE, () -> duplicate);
                return;
            }
        }
        addValue(
                Kind.PRODUCER_ORDER,
                "value %s is at offset %d of %s, behind number %d of its writer"
                        .formatted(Value.text(value), offset, name, last),
                offset,
                List.of(Value.text(value), Value.text(Value.of(Value.writer(value), last))),
                0);
    }

    /// Of those with a greater offset the one that was acknowledged first must have been
    /// acknowledged after each record here was sent.
    private void checkRealTime(LongList values) {
        long firstAcknowledged = Long.MAX_VALUE;
        long at = -1;
        for (long offset = values.size() - 1L; offset >= 0; offset--) {
            long value = values.get(offset);
            if (value == LongList.ABSENT) {
                continue;
            }
            long sentIn = sent.lineOf(value, name);
            if (sentIn != LongList.ABSENT && firstAcknowledged < sentIn) {
                List<String> both = List.of(Value.text(value), Value.text(values.get(at)));
                addValue(
                        Kind.REAL_TIME_ORDER,
                        "value %s is at offset %d of %s, before value %s at offset %d, which was acknowledged before it was sent"
                                .formatted(both.get(0), offset, name, both.get(1), at),
                        offset,
                        both,
                        sentIn);
            }
            long acknowledged = acknowledgedIn.get(offset);
            if (acknowledged != LongList.ABSENT
                    && seen.get(offset) == value
                    && acknowledged < firstAcknowledged) {
                firstAcknowledged = acknowledged;
                at = offset;
            }
        }
    }

    private void add(Kind kind, String text, long offset, long line) {
        addValue(kind, text, offset, List.of(), line);
    }

    /// @param line 0 when none is known
    private void addValue(Kind kind, String text, long offset, List<String> values, long line) {
        List<Long> lines = new ArrayList<>();
        if (line > 0) {
            lines.add(line);
        }
        findings.add(kind, () -> new Anomaly(kind, text, name, List.of(offset), values, lines));
    }
}
