package dev.ottla.broker.partition;

import dev.ottla.broker.request.RequestMemory;

/// Records that came from the leader. Nobody waits for them but the follower itself, which looks at
/// its log.
final class CopiedAppend extends PendingAppend {
    CopiedAppend(RequestMemory memory) {
        super(Acks.LEADER, memory);
    }

    @Override
    protected void onAcknowledged(HostedPartition partition) {}

    @Override
    protected void onFailed(PartitionError error) {}

    @Override
    protected void onFailure(RuntimeException failure) {
        throw failure;
    }
}
