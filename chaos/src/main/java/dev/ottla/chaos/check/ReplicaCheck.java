package dev.ottla.chaos.check;

import dev.ottla.chaos.check.Anomaly.Kind;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.Span;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What the replicas of one partition hold after healing: between the largest log start and the
/// high watermark they are the same batches; of a compacted topic they have the same last value of
/// each key. Each replica is announced before the first one's batches come, and they come one
/// replica after the other. Owned by one thread.
final class ReplicaCheck {
    private final String name;
    private final int keys;
    private final Findings findings;
    private final Map<Integer, Copy> copies = new TreeMap<>();

    /// By offset, of whichever replica came first.
    private final LongList stored = new LongList();

    /// The batches of the first replica, to which the others are compared.
    private final LongList bases = new LongList();

    private final LongList identities = new LongList();
    private long start;
    private long highWatermark;

    private static final class Copy {
        final Event.Replica replica;
        long batches;
        long next;
        final Map<Long, Long> lastOffsetOfKey = new HashMap<>();

        Copy(Event.Replica replica) {
            this.replica = replica;
            next = replica.logStart();
        }
    }

    ReplicaCheck(String name, int keys, Findings findings) {
        this.name = name;
        this.keys = keys;
        this.findings = findings;
    }

    boolean areKnown() {
        return !copies.isEmpty();
    }

    long start() {
        return start;
    }

    LongList stored() {
        return stored;
    }

    void onReplica(Event.Replica replica) {
        copies.put(replica.node(), new Copy(replica));
        start = Math.max(start, replica.logStart());
        highWatermark = Math.max(highWatermark, replica.highWatermark());
    }

    void onStored(long line, Event.Stored event) {
        Copy copy = copies.get(event.node());
        if (copy == null) {
            throw new IllegalArgumentException(
                    "line %d: replica %d of %s was not announced"
                            .formatted(line, event.node(), name));
        }
        boolean first = copies.values().stream().allMatch(c -> c == copy || c.batches == 0);
        for (Event.Batch batch : event.batches()) {
            if (batch.offset() < highWatermark) {
                checkFollows(line, copy, batch);
                // Only then, for the part below is another replica's no longer.
                if (batch.offset() >= start) {
                    compare(line, copy, batch, first);
                }
            }
        }
    }

    private void checkFollows(long line, Copy copy, Event.Batch batch) {
        boolean gap = keys == 0 && batch.offset() > copy.next;
        boolean back = batch.offset() < copy.next && batch.offset() >= copy.replica.logStart();
        if (gap || back) {
            differ(
                    line,
                    batch.offset(),
                    "node %d has a batch at offset %d of %s where one at %d was due"
                            .formatted(copy.replica.node(), batch.offset(), name, copy.next));
        }
        copy.next = batch.offset() + batch.offsets();
    }

    private void compare(long line, Copy copy, Event.Batch batch, boolean first) {
        copy.batches++;
        long identity = (long) batch.epoch() << 32 | (batch.crc() & 0xffffffffL);
        if (first) {
            bases.add(batch.offset());
            identities.add(identity);
        } else if (keys == 0) {
            int index = bases.floorIndex(batch.offset());
            if (bases.get(index) != batch.offset() || identities.get(index) != identity) {
                differ(
                        line,
                        batch.offset(),
                        "the batch at offset %d of %s on node %d (epoch %d) is not the one that other nodes have"
                                .formatted(
                                        batch.offset(), name, copy.replica.node(), batch.epoch()));
            }
        }
        int index = 0;
        for (Span span : batch.values()) {
            for (int i = 0; i < span.count(); i++) {
                int at = batch.at().isEmpty() ? index : batch.at().get(index);
                store(line, copy, batch.offset() + at, Value.of(span.writer(), span.number() + i));
                index++;
            }
        }
    }

    private void store(long line, Copy copy, long offset, long value) {
        if (keys > 0) {
            copy.lastOffsetOfKey.put(key(value), offset);
        }
        long before = stored.get(offset);
        if (before == LongList.ABSENT) {
            stored.set(offset, value);
        } else if (before != value) {
            String text =
                    "offset %d of %s is value %s on node %d and %s elsewhere"
                            .formatted(
                                    offset,
                                    name,
                                    Value.text(value),
                                    copy.replica.node(),
                                    Value.text(before));
            List<String> both = List.of(Value.text(before), Value.text(value));
            findings.add(
                    Kind.TWO_VALUES,
                    () ->
                            new Anomaly(
                                    Kind.TWO_VALUES,
                                    text,
                                    name,
                                    List.of(offset),
                                    both,
                                    List.of(line)));
        }
    }

    private long key(long value) {
        return Value.of(Value.writer(value), Value.number(value) % keys);
    }

    /// Whether every replica has a later record with the key of this one.
    boolean hasLaterOfKey(long value, long offset) {
        return copies.values().stream()
                .allMatch(copy -> copy.lastOffsetOfKey.getOrDefault(key(value), -1L) > offset);
    }

    void finish() {
        if (copies.size() < 2) {
            return;
        }
        Copy first = copies.values().iterator().next();
        for (Copy copy : copies.values()) {
            int node = copy.replica.node();
            if (copy.next < highWatermark && (keys == 0 || copy.replica.logEnd() < highWatermark)) {
                differ(
                        0,
                        copy.next,
                        "node %d holds %s up to offset %d only; the high watermark is %d (files in %s)"
                                .formatted(
                                        node,
                                        name,
                                        copy.next,
                                        highWatermark,
                                        copy.replica.directory()));
            } else if (keys == 0 && copy.batches != first.batches) {
                differ(
                        0,
                        start,
                        "node %d holds %d batches of %s, node %d holds %d"
                                .formatted(
                                        node,
                                        copy.batches,
                                        name,
                                        first.replica.node(),
                                        first.batches));
            } else if (keys > 0 && !copy.lastOffsetOfKey.equals(first.lastOffsetOfKey)) {
                differ(
                        0,
                        start,
                        "the last records of keys in %s are others on node %d than on node %d"
                                .formatted(name, node, first.replica.node()));
            }
        }
    }

    private void differ(long line, long offset, String text) {
        List<Long> lines = line > 0 ? List.of(line) : List.of();
        findings.add(
                Kind.REPLICAS_DIFFER,
                () ->
                        new Anomaly(
                                Kind.REPLICAS_DIFFER,
                                text,
                                name,
                                List.of(offset),
                                List.of(),
                                lines));
    }
}
