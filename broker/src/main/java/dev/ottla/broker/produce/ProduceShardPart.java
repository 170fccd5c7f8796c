package dev.ottla.broker.produce;

import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.broker.partition.Lookup;
import dev.ottla.broker.partition.PartitionError;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.partition.Refusals;
import dev.ottla.broker.shard.ShardMessage;
import dev.ottla.broker.shard.Timer;
import dev.ottla.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What one shard does for a produce request: appends the batches for its partitions and waits
/// until each is where the request wants it, or for the request's time-out. Owned by the shard once
/// it is posted.
final class ProduceShardPart extends ShardMessage {
    private static final Logger LOG = LoggerFactory.getLogger(ProduceShardPart.class);

    private final ProduceOperation operation;
    private final PartitionManager partitions;
    private final List<ProducePart> parts = new ArrayList<>(1);
    private List<HostedPartition> withDuplicates = List.of();
    private final Timer timeout =
            new Timer() {
                @Override
                protected void onTimeout() {
                    parts.forEach(ProducePart::timeOut);
                }

                @Override
                protected void onFailure(RuntimeException failure) {
                    ProduceShardPart.this.onFailure(failure);
                }
            };
    private int left;
    private boolean ended;

    ProduceShardPart(ProduceOperation operation, PartitionManager partitions) {
        this.operation = operation;
        this.partitions = partitions;
    }

    void add(ProducePart part) {
        parts.add(part);
    }

    PartitionManager partitions() {
        return partitions;
    }

    @Override
    protected void run() {
        // One more than there are parts, so that the last of them cannot finish before all were
        // begun.
        left = parts.size() + 1;
        for (ProducePart part : parts) {
            append(part);
        }
        withDuplicates.forEach(HostedPartition::settleDuplicates);
        if (left > 1 && operation.waitsForInSyncReplicas()) {
            partitions.shard().scheduleMs(timeout, operation.timeoutMs());
        }
        partDone();
    }

    private void append(ProducePart part) {
        switch (partitions.lookup(part.key())) {
            case Lookup.Failed failed -> refuse(part, failed.error());
            case Lookup.Found found -> append(part, found.partition());
        }
        note(part);
    }

    private void note(ProducePart part) {
        Refusals refusals = partitions.refusals();
        Optional<PartitionError> error = part.error();
        if (error.isPresent() && error.get().code().retriable()) {
            refusals.add(part.key(), part.batch(), error.get(), partitions.shard().nowNs());
        } else if (error.isEmpty() && !refusals.isEmpty()) {
            refusals.remove(part.key(), part.batch());
        }
    }

    private void append(ProducePart part, HostedPartition partition) {
        if (operation.waitsForInSyncReplicas() && !partition.hasEnoughReplicas()) {
            refuse(
                    part,
                    new PartitionError(
                            ErrorCode.NOT_ENOUGH_REPLICAS,
                            "Partition %s has %d in-sync replicas, min.insync.replicas demands %d."
                                    .formatted(
                                            partition,
                                            partition.inSyncReplicaCount(),
                                            partition.minInSyncReplicas())));
            return;
        }
        if (operation.waitsForInSyncReplicas() && partition.isCutOff()) {
            refuse(part, partition.cutOff());
            return;
        }
        Optional<PartitionError> before = refusalBefore(part, partition);
        if (before.isPresent()) {
            refuse(part, before.get());
            return;
        }
        part.append(partition, this, operation.nowMs());
        if (part.appendedBytes() > 0) {
            partitions.metrics().appended(part.appendedBytes(), part.appendedRecords());
        }
        if (!operation.isAnswered() && !part.isRefused() && part.giveUp()) {
            partDone();
        }
    }

    /// Why a batch is refused that comes behind one that was refused.
    private Optional<PartitionError> refusalBefore(ProducePart part, HostedPartition partition) {
        Refusals refusals = partitions.refusals();
        return refusals.isEmpty()
                ? Optional.empty()
                : refusals.reason(part.key(), part.batch(), partitions.shard().nowNs())
                        .filter(_ -> !partition.followsOn(part.batch()));
    }

    private void refuse(ProducePart part, PartitionError error) {
        part.refuse(error.code(), error.message());
        partDone();
    }

    /// `partition` refused a batch because it has it already; the answer waits for the original.
    void hasDuplicates(HostedPartition partition) {
        if (withDuplicates.isEmpty()) {
            withDuplicates = new ArrayList<>(1);
        }
        withDuplicates.add(partition);
    }

    void partDone() {
        left--;
        if (left == 0 && !ended) {
            end();
            operation.shardDone();
        }
    }

    /// Batches that were appended before the failure go on without anybody who waits for them.
    @Override
    protected void onFailure(RuntimeException failure) {
        LOG.error("A produce request failed in shard {}.", partitions.shard().index(), failure);
        if (!ended) {
            end();
            try {
                operation.shardFailed();
            } catch (RuntimeException e) {
                LOG.error("A produce request that failed could not be answered.", e);
            }
        }
    }

    private void end() {
        ended = true;
        partitions.shard().timers().cancel(timeout);
    }
}
