package dev.ottla.broker.partition;

import dev.ottla.broker.request.Responder;
import dev.ottla.broker.shard.ShardMessage;
import dev.ottla.wire.ApiMessage;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks many partitions one question each and answers when all have answered. The items carry
/// question and answer; they pass to the shards and back to whoever makes the answer, published by
/// the mailbox and the countdown.
///
/// @param <T> an item
public final class PartitionCalls<T> {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionCalls.class);

    /// What is done for an item on its shard.
    public interface Call<T> {
        /// `done` is to be run once, now or later, on any thread.
        void run(T item, Lookup partition, Runnable done);
    }

    private final Function<T, PartitionKey> keyOf;
    private final Function<PartitionKey, PartitionManager> owners;
    private final Call<T> call;

    /// @param owners the manager of the shard that owns a partition
    public PartitionCalls(
            Function<T, PartitionKey> keyOf,
            Function<PartitionKey, PartitionManager> owners,
            Call<T> call) {
        this.keyOf = keyOf;
        this.owners = owners;
        this.call = call;
    }

    /// Calls for every item; `answer` is made and given on the thread of the last answer, or here
    /// when there are no items.
    public void begin(List<T> items, Responder responder, Supplier<ApiMessage> answer) {
        Runnable finish = responder.guarded(() -> responder.respond(answer.get()));
        if (items.isEmpty()) {
            finish.run();
            return;
        }
        AtomicInteger left = new AtomicInteger(items.size());
        Runnable done =
                () -> {
                    if (left.decrementAndGet() == 0) {
                        finishSafely(finish);
                    }
                };
        IdentityHashMap<PartitionManager, List<T>> byOwner = new IdentityHashMap<>();
        for (T item : items) {
            byOwner.computeIfAbsent(owners.apply(keyOf.apply(item)), _ -> new ArrayList<>())
                    .add(item);
        }
        byOwner.forEach((owner, ofShard) ->
                owner.shard()
                        .post(
                                new ShardMessage() {
                                    @Override
                                    protected void run() {
                                        ofShard.forEach(item -> callSafely(item, owner, done));
                                    }
                                }));
    }

    private static void finishSafely(Runnable finish) {
        try {
            finish.run();
        } catch (RuntimeException e) {
            LOG.error("An answer about partitions could not be given.", e);
        }
    }

    /// An item whose call fails keeps the answer it was made with.
    private void callSafely(T item, PartitionManager owner, Runnable done) {
        try {
            call.run(item, owner.lookup(keyOf.apply(item)), done);
        } catch (RuntimeException e) {
            LOG.error("Shard {} could not answer for a partition.", owner.shard().index(), e);
            done.run();
        }
    }
}
