package dev.ottla.broker.produce;

import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.request.ClientConnection;
import dev.ottla.broker.request.Responder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// Takes produce operations from handlers to the shards: checks, order, dispatch. Thread-safe:
/// keeps nothing of its own but immutable parts; called on network loops.
public final class Produces {
    /// A batch that is still to be checked.
    public record Unchecked(ProducePart part, BatchChecks.Terms terms) {}

    private final BatchChecks checks;
    private final Function<PartitionKey, PartitionManager> owners;

    /// @param owners the manager of the shard that owns a partition
    public Produces(BatchChecks checks, Function<PartitionKey, PartitionManager> owners) {
        this.checks = checks;
        this.owners = owners;
    }

    /// Checks the batches and appends those that pass. On the connection's loop.
    ///
    /// @param unchecked the parts of `operation` that were not refused already
    /// @param request whose request it is; it has failed when it cannot be handed to the shards
    public void begin(
            ClientConnection connection,
            ProduceOperation operation,
            List<Unchecked> unchecked,
            Responder request) {
        List<Unchecked> slow = new ArrayList<>(0);
        for (Unchecked one : unchecked) {
            if (!checks.tryOnLoop(connection.loopIndex(), one.part(), one.terms())) {
                slow.add(one);
            }
        }
        ProduceOrder order = connection.attachment(ProduceOrder.class, ProduceOrder::new);
        ProduceOrder.Turn turn =
                order.enter(request.guarded(() -> operation.dispatch(owners)), slow.isEmpty());
        if (!slow.isEmpty()) {
            AtomicInteger left = new AtomicInteger(slow.size());
            for (Unchecked one : slow) {
                checks.onPool(
                        one.part(),
                        one.terms(),
                        () -> {
                            if (left.decrementAndGet() == 0) {
                                connection.loop().execute(() -> order.onReady(turn));
                            }
                        });
            }
        }
    }
}
