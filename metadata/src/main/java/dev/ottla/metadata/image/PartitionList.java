package dev.ottla.metadata.image;

import dev.ottla.wire.Check;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;

/// The partitions of one topic by number. Immutable; [#with] copies the chunks that change and the
/// list of chunks, and shares the rest, so one change of a topic with 10,000 partitions copies a few
/// hundred references.
///
///     chunks: [ 64 partitions | 64 partitions | … | the rest ]
final class PartitionList extends AbstractList<PartitionState> implements RandomAccess {
    static final PartitionList NONE = new PartitionList(new PartitionState[0][], 0);

    private static final int CHUNK = 64;

    private final PartitionState[][] chunks;
    private final int size;

    private PartitionList(PartitionState[][] chunks, int size) {
        this.chunks = chunks;
        this.size = size;
    }

    static PartitionList of(List<PartitionState> states) {
        PartitionState[][] chunks = new PartitionState[chunkCount(states.size())][];
        for (int i = 0; i < chunks.length; i++) {
            int from = i * CHUNK;
            int to = Math.min(states.size(), from + CHUNK);
            chunks[i] = states.subList(from, to).toArray(PartitionState[]::new);
        }
        return new PartitionList(chunks, states.size());
    }

    /// The list with the given partitions replaced or, right behind the last, added.
    PartitionList with(Map<Integer, PartitionState> changes) {
        int newSize = size;
        for (int number : changes.keySet()) newSize = Math.max(newSize, number + 1);
        PartitionState[][] copy = Arrays.copyOf(chunks, chunkCount(newSize));
        boolean[] owned = new boolean[copy.length];
        for (var change : changes.entrySet()) {
            int chunk = change.getKey() / CHUNK;
            if (!owned[chunk]) {
                int length = Math.min(CHUNK, newSize - chunk * CHUNK);
                copy[chunk] =
                        chunk < chunks.length
                                ? Arrays.copyOf(chunks[chunk], length)
                                : new PartitionState[length];
                owned[chunk] = true;
            }
            copy[chunk][change.getKey() % CHUNK] = change.getValue();
        }
        PartitionList result = new PartitionList(copy, newSize);
        for (int i = size; i < newSize; i++) {
            Check.check(result.has(i), "partition %d of %d was never created", i, newSize);
        }
        return result;
    }

    private boolean has(int number) {
        PartitionState[] chunk = chunks[number / CHUNK];
        return chunk != null && chunk[number % CHUNK] != null;
    }

    private static int chunkCount(int size) {
        return (size + CHUNK - 1) / CHUNK;
    }

    @Override
    public PartitionState get(int number) {
        if (number < 0 || number >= size) {
            throw new IndexOutOfBoundsException("partition " + number + " of " + size);
        }
        return chunks[number / CHUNK][number % CHUNK];
    }

    @Override
    public int size() {
        return size;
    }
}
