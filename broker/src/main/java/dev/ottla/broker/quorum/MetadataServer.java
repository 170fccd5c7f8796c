package dev.ottla.broker.quorum;

import dev.ottla.metadata.QuorumState;
import dev.ottla.quorum.feed.BatchAnswer;
import dev.ottla.quorum.feed.BatchQuestion;
import dev.ottla.quorum.feed.MetadataFeed;
import dev.ottla.quorum.feed.MetadataSource.SnapshotQuestion;
import dev.ottla.quorum.feed.SnapshotAnswer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// This node's copy of the metadata log for other nodes. Nothing is made before the first of them
/// asks. Any thread may ask; answers come on the metadata thread.
public final class MetadataServer {
    private final Executor metadataThread;
    private final Supplier<MetadataFeed> newFeed;
    private final Supplier<QuorumState> quorum;

    /// Belongs to the metadata thread.
    private @Nullable MetadataFeed feed;

    /// @param newFeed called once, on the metadata thread
    /// @param quorum as the engine knows it, on the metadata thread
    public MetadataServer(
            Executor metadataThread, Supplier<MetadataFeed> newFeed, Supplier<QuorumState> quorum) {
        this.metadataThread = metadataThread;
        this.newFeed = newFeed;
        this.quorum = quorum;
    }

    public void fetch(BatchQuestion question, Consumer<BatchAnswer> answer) {
        metadataThread.execute(() -> feed().fetch(question, answer));
    }

    public void fetchSnapshot(SnapshotQuestion question, Consumer<SnapshotAnswer> answer) {
        metadataThread.execute(() -> feed().fetchSnapshot(question, answer));
    }

    /// Nobody waits for news any more, since this node stops.
    public void stopWaiting() {
        metadataThread.execute(
                () -> Optional.ofNullable(feed).ifPresent(MetadataFeed::stopWaiting));
    }

    /// The quorum with those who copy from this node.
    public CompletableFuture<QuorumState> state() {
        return CompletableFuture.supplyAsync(this::withObservers, metadataThread);
    }

    private QuorumState withObservers() {
        QuorumState state = quorum.get();
        return Optional.ofNullable(feed)
                .map(present -> state.withObservers(present.observers()))
                .orElse(state);
    }

    private MetadataFeed feed() {
        MetadataFeed present = feed;
        if (present == null) {
            present = newFeed.get();
            feed = present;
        }
        return present;
    }
}
