package dev.ottla.metadata.image;

import dev.ottla.wire.Check;
import dev.ottla.wire.Uuid;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What changed in one topic between two images.
public final class TopicDelta {
    private final Optional<TopicState> before;
    private final TopicState base;
    private final Map<Integer, PartitionState> changed = new TreeMap<>();
    private int partitionCount;

    private TopicDelta(Optional<TopicState> before, TopicState base) {
        this.before = before;
        this.base = base;
        this.partitionCount = base.partitionCount();
    }

    static TopicDelta created(TopicState empty) {
        return new TopicDelta(Optional.empty(), empty);
    }

    static TopicDelta changed(TopicState before) {
        return new TopicDelta(Optional.of(before), before);
    }

    static TopicDelta createdAs(TopicState topic) {
        TopicDelta delta =
                new TopicDelta(Optional.empty(), TopicState.named(topic.name(), topic.id()));
        for (int i = 0; i < topic.partitionCount(); i++) delta.add(i, topic.partitions().get(i));
        return delta;
    }

    static TopicDelta changedTo(TopicState before, TopicState after) {
        TopicDelta delta = changed(before);
        for (int i = 0; i < after.partitionCount(); i++) {
            PartitionState state = after.partitions().get(i);
            if (i >= before.partitionCount()) {
                delta.add(i, state);
            } else if (!before.partitions().get(i).equals(state)) {
                delta.replace(i, state);
            }
        }
        return delta;
    }

    public String name() {
        return base.name();
    }

    public Uuid id() {
        return base.id();
    }

    public boolean isCreated() {
        return before.isEmpty();
    }

    /// The topic in the earlier image, unless it was created since.
    public Optional<TopicState> before() {
        return before;
    }

    /// New and changed partitions by number, ascending, as they are now.
    public Map<Integer, PartitionState> changedPartitions() {
        return Collections.unmodifiableMap(changed);
    }

    int partitionCount() {
        return partitionCount;
    }

    PartitionState current(int partition) {
        PartitionState state = changed.get(partition);
        if (state != null) return state;
        return base.partition(partition)
                .orElseThrow(() ->
                        new IllegalStateException(
                                "%s has no partition %d".formatted(base, partition)));
    }

    void add(int partition, PartitionState state) {
        Check.check(
                partition == partitionCount,
                "partition %d of %s is added behind %d others",
                partition,
                base.name(),
                partitionCount);
        changed.put(partition, state);
        partitionCount++;
    }

    void replace(int partition, PartitionState state) {
        changed.put(partition, state);
    }

    TopicState apply() {
        return changed.isEmpty() ? base : base.with(changed);
    }
}
