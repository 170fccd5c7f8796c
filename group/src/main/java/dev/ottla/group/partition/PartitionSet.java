package dev.ottla.group.partition;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// An immutable set of partitions of one topic, kept as ascending distinct numbers. Immutable.
public final class PartitionSet {
    public static final PartitionSet EMPTY = new PartitionSet(new int[0]);

    private final int[] sorted;

    private PartitionSet(int[] sorted) {
        this.sorted = sorted;
    }

    /// In any order, doubles allowed.
    public static PartitionSet of(int... partitions) {
        return ofSorted(Arrays.stream(partitions).sorted().distinct().toArray());
    }

    public static PartitionSet of(Collection<Integer> partitions) {
        return of(partitions.stream().mapToInt(Integer::intValue).toArray());
    }

    /// From `first` inclusive to `end` exclusive.
    public static PartitionSet range(int first, int end) {
        return ofSorted(IntStream.range(first, end).toArray());
    }

    private static PartitionSet ofSorted(int[] sorted) {
        return sorted.length == 0 ? EMPTY : new PartitionSet(sorted);
    }

    public boolean contains(int partition) {
        return Arrays.binarySearch(sorted, partition) >= 0;
    }

    public int size() {
        return sorted.length;
    }

    public boolean isEmpty() {
        return sorted.length == 0;
    }

    /// The partition at `index` in ascending order.
    public int at(int index) {
        return sorted[index];
    }

    public IntStream stream() {
        return Arrays.stream(sorted);
    }

    public PartitionSet filter(IntPredicate keep) {
        int[] kept = new int[sorted.length];
        int count = 0;
        for (int partition : sorted) {
            if (keep.test(partition)) kept[count++] = partition;
        }
        return count == sorted.length ? this : ofSorted(Arrays.copyOf(kept, count));
    }

    public PartitionSet minus(PartitionSet other) {
        return other.isEmpty() ? this : filter(partition -> !other.contains(partition));
    }

    public PartitionSet intersect(PartitionSet other) {
        return filter(other::contains);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PartitionSet set && Arrays.equals(sorted, set.sorted);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(sorted);
    }

    @Override
    public String toString() {
        return Arrays.toString(sorted);
    }
}
