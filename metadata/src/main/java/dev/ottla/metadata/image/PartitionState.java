package dev.ottla.metadata.image;

import dev.ottla.metadata.BrokerIds;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Objects;

/// What the cluster says about one partition. Immutable, and small, for there may be a million:
/// lists with the same content are shared between partitions.
public final class PartitionState {
    /// The leader's id when there is none.
    public static final int NO_LEADER = -1;

    private final BrokerIds replicas;
    private final BrokerIds isr;
    private final List<Uuid> directories;
    private final int leader;
    private final int leaderEpoch;
    private final int partitionEpoch;
    private final Rare rare;

    /// What most partitions have nothing of.
    private record Rare(
            BrokerIds removing,
            BrokerIds adding,
            BrokerIds elr,
            BrokerIds lastKnownElr,
            boolean recovering) {
        static final Rare NONE =
                new Rare(BrokerIds.NONE, BrokerIds.NONE, BrokerIds.NONE, BrokerIds.NONE, false);

        Rare orShared() {
            return equals(NONE) ? NONE : this;
        }
    }

    private PartitionState(
            BrokerIds replicas,
            BrokerIds isr,
            List<Uuid> directories,
            int leader,
            int leaderEpoch,
            int partitionEpoch,
            Rare rare) {
        this.replicas = replicas;
        this.isr = isr;
        this.directories = directories;
        this.leader = leader;
        this.leaderEpoch = leaderEpoch;
        this.partitionEpoch = partitionEpoch;
        this.rare = rare;
    }

    static PartitionState from(MetadataRecord.Partition record, Sharing sharing) {
        return new PartitionState(
                sharing.ids(record.replicas()),
                sharing.ids(record.isr()),
                sharing.directories(record.directories()),
                record.leader(),
                record.leaderEpoch(),
                record.partitionEpoch(),
                new Rare(
                                record.removingReplicas(),
                                record.addingReplicas(),
                                record.elr(),
                                record.lastKnownElr(),
                                record.recovering())
                        .orShared());
    }

    PartitionState with(MetadataRecord.PartitionChange change, Sharing sharing) {
        return new PartitionState(
                change.replicas().map(sharing::ids).orElse(replicas),
                change.isr().map(sharing::ids).orElse(isr),
                change.directories().map(sharing::directories).orElse(directories),
                change.leader().orElse(leader),
                change.leader().isPresent() ? leaderEpoch + 1 : leaderEpoch,
                partitionEpoch + 1,
                new Rare(
                                change.removingReplicas().orElse(rare.removing()),
                                change.addingReplicas().orElse(rare.adding()),
                                change.elr().orElse(rare.elr()),
                                change.lastKnownElr().orElse(rare.lastKnownElr()),
                                change.recovering().orElse(rare.recovering()))
                        .orShared());
    }

    PartitionState withoutElr() {
        Rare without =
                new Rare(
                        rare.removing(),
                        rare.adding(),
                        BrokerIds.NONE,
                        BrokerIds.NONE,
                        rare.recovering());
        return new PartitionState(
                replicas,
                isr,
                directories,
                leader,
                leaderEpoch,
                partitionEpoch,
                without.orShared());
    }

    MetadataRecord.Partition toRecord(Uuid topicId, int partition) {
        return new MetadataRecord.Partition(
                topicId,
                partition,
                replicas,
                isr,
                rare.removing(),
                rare.adding(),
                leader,
                rare.recovering(),
                leaderEpoch,
                partitionEpoch,
                directories,
                rare.elr(),
                rare.lastKnownElr());
    }

    /// In order of preference: the first is the preferred leader.
    public BrokerIds replicas() {
        return replicas;
    }

    public BrokerIds isr() {
        return isr;
    }

    /// Directory ids of the replicas, in their order.
    public List<Uuid> directories() {
        return directories;
    }

    /// The directory that holds the replica of `brokerId`, which must be one of the replicas.
    public Uuid directoryOf(int brokerId) {
        return directories.get(replicas.positionOf(brokerId));
    }

    /// A broker id, or [#NO_LEADER].
    public int leader() {
        return leader;
    }

    public boolean hasLeader() {
        return leader != NO_LEADER;
    }

    public int leaderEpoch() {
        return leaderEpoch;
    }

    /// Grows with each change of the partition.
    public int partitionEpoch() {
        return partitionEpoch;
    }

    /// Replicas that a reassignment takes away once it is complete.
    public BrokerIds removingReplicas() {
        return rare.removing();
    }

    /// Replicas that a reassignment brought and that have to catch up.
    public BrokerIds addingReplicas() {
        return rare.adding();
    }

    /// Whether it is on its way to other replicas.
    public boolean isReassigned() {
        return !rare.adding().isEmpty() || !rare.removing().isEmpty();
    }

    /// The replicas that it has, or shall have once its reassignment is complete.
    public BrokerIds targetReplicas() {
        return replicas.withoutAll(rare.removing());
    }

    /// How many replicas what is acknowledged can count on: during a reassignment the smaller
    /// number of before and after. `min.insync.replicas` goes by it, so that writes go on while a
    /// partition gets more replicas.
    public int replicationFactor() {
        return replicas.size() - Math.max(rare.adding().size(), rare.removing().size());
    }

    /// Replicas outside the ISR that are known to hold every committed record (KIP-966).
    public BrokerIds elr() {
        return rare.elr();
    }

    public BrokerIds lastKnownElr() {
        return rare.lastKnownElr();
    }

    /// Whether the leader was elected from outside the ISR and has not recovered since.
    public boolean recovering() {
        return rare.recovering();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PartitionState o
                && leader == o.leader
                && leaderEpoch == o.leaderEpoch
                && partitionEpoch == o.partitionEpoch
                && replicas.equals(o.replicas)
                && isr.equals(o.isr)
                && directories.equals(o.directories)
                && rare.equals(o.rare);
    }

    @Override
    public int hashCode() {
        return Objects.hash(replicas, isr, leader, leaderEpoch, partitionEpoch);
    }

    @Override
    public String toString() {
        return "replicas %s, isr %s, elr %s, leader %d, leader epoch %d, partition epoch %d"
                .formatted(replicas, isr, rare.elr(), leader, leaderEpoch, partitionEpoch);
    }
}
