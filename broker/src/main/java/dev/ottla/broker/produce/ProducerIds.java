package dev.ottla.broker.produce;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/// Hands out producer ids, each once in the life of the cluster. They come in blocks that the
/// controller has recorded, so what a broker did not use when it stopped is never used (KIP-730).
/// Owned by the executor given at birth.
public final class ProducerIds {
    /// Ids from `first` (inclusive) to `end` (exclusive).
    public record Block(long first, long end) {}

    private final Executor owner;
    private final Supplier<CompletableFuture<Block>> nextBlock;

    /// Bounded by the requests that connections may have unanswered.
    private final ArrayDeque<CompletableFuture<Long>> waiting = new ArrayDeque<>();

    private long next;
    private long end;
    private boolean asking;

    /// @param owner runs one task at a time, in order
    /// @param nextBlock asks the controller for a block
    public ProducerIds(Executor owner, Supplier<CompletableFuture<Block>> nextBlock) {
        this.owner = owner;
        this.nextBlock = nextBlock;
    }

    /// A fresh id; fails when the controller gives none. Any thread.
    public CompletableFuture<Long> fresh() {
        CompletableFuture<Long> id = new CompletableFuture<>();
        owner.execute(() -> {
            waiting.add(id);
            serve();
        });
        return id;
    }

    private void serve() {
        while (next < end && !waiting.isEmpty()) {
            waiting.remove().complete(next++);
        }
        if (!waiting.isEmpty() && !asking) {
            asking = true;
            var _ = nextBlock.get().whenCompleteAsync(this::onBlock, owner);
        }
    }

    private void onBlock(Block block, Throwable failure) {
        asking = false;
        if (failure != null) {
            waiting.forEach(id -> id.completeExceptionally(failure));
            waiting.clear();
        } else {
            next = block.first();
            end = block.end();
            serve();
        }
    }
}
