package dev.ottla.broker.partition;

import dev.ottla.broker.shard.ShardMessage;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks all shards about the logs of partitions, and tells them to move some. Thread-safe; answers
/// come on the thread of the shard that is done last, or on the caller's when there is nothing to
/// ask.
public final class ReplicaQueries {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaQueries.class);

    private final Function<PartitionKey, ReplicaMoves> owners;

    /// @param owners the moves of the shard that owns a partition
    public ReplicaQueries(Function<PartitionKey, ReplicaMoves> owners) {
        this.owners = owners;
    }

    /// The logs of those of `keys` that are open, and the copies that are being made of them.
    public void describe(Collection<PartitionKey> keys, Consumer<List<ReplicaReport>> done) {
        List<ReplicaReport> found = Collections.synchronizedList(new ArrayList<>());
        onEachShard(
                keys,
                (moves, ofShard) -> found.addAll(moves.report(ofShard)),
                () -> done.accept(List.copyOf(found)));
    }

    /// Moves each partition to its directory: see [ReplicaMoves#move].
    public void move(Map<PartitionKey, Uuid> targets, Consumer<Map<PartitionKey, ErrorCode>> done) {
        Map<PartitionKey, ErrorCode> results = new ConcurrentHashMap<>();
        targets.keySet().forEach(key -> results.put(key, ErrorCode.UNKNOWN_SERVER_ERROR));
        onEachShard(
                targets.keySet(),
                (moves, ofShard) -> {
                    for (PartitionKey key : ofShard) {
                        Uuid target = targets.getOrDefault(key, Uuid.ZERO);
                        results.put(key, moves.move(key, target));
                    }
                },
                () -> done.accept(Map.copyOf(results)));
    }

    private interface Question {
        void ask(ReplicaMoves moves, List<PartitionKey> keys);
    }

    private void onEachShard(Collection<PartitionKey> keys, Question question, Runnable done) {
        IdentityHashMap<ReplicaMoves, List<PartitionKey>> byOwner = new IdentityHashMap<>();
        for (PartitionKey key : keys) {
            byOwner.computeIfAbsent(owners.apply(key), _ -> new ArrayList<>()).add(key);
        }
        if (byOwner.isEmpty()) {
            done.run();
            return;
        }
        AtomicInteger left = new AtomicInteger(byOwner.size());
        byOwner.forEach((moves, ofShard) -> {
            ShardMessage message =
                    new ShardMessage() {
                        @Override
                        protected void run() {
                            try {
                                question.ask(moves, ofShard);
                            } catch (RuntimeException e) {
                                LOG.error("A shard could not answer for its logs.", e);
                            }
                            if (left.decrementAndGet() == 0) {
                                done.run();
                            }
                        }

                        @Override
                        protected void onFailure(RuntimeException failure) {
                            LOG.error("An answer about logs could not be given.", failure);
                        }
                    };
            moves.partitions().shard().post(message);
        });
    }
}
