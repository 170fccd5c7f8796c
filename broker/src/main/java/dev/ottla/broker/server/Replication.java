package dev.ottla.broker.server;

import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.broker.partition.IsrChanges;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.peer.Peers;
import dev.ottla.broker.replica.DirectoryAssignments;
import dev.ottla.broker.replica.Followers;
import dev.ottla.broker.replica.PeerLeaders;
import dev.ottla.config.ConfigValues;
import dev.ottla.config.HostPort;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.PartitionState;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Puts followers on all shards. A broker that is alone opens no connections and keeps no state for
/// this.
final class Replication {
    private Replication() {}

    /// What replication needs of the broker.
    ///
    /// @param brokerEpoch of the present registration
    /// @param peers connections to other nodes; asked for when there is something to follow
    /// @param addresses where a broker serves its peers
    /// @param controller whom leaders ask for changes of their ISRs
    /// @param directories notes in which directories replicas are
    record Parts(
            int brokerId,
            LongSupplier brokerEpoch,
            Supplier<Peers> peers,
            IntFunction<Optional<HostPort>> addresses,
            IsrChanges controller,
            DirectoryAssignments directories,
            ConfigValues config) {}

    /// To be called when the shards have been told to begin.
    static void begin(List<ShardRuntime> shards, Parts parts) {
        for (ShardRuntime runtime : shards) {
            runtime.shard()
                    .execute(() -> {
                        PartitionManager partitions = runtime.partitions();
                        partitions.askController(parts.controller());
                        partitions.addListener(new OnceThereAreOthers(partitions, parts));
                    });
        }
    }

    /// Begins to follow when there is another broker. Owned by the shard's thread.
    private static final class OnceThereAreOthers implements PartitionManager.Listener {
        private final PartitionManager partitions;
        private final Parts parts;
        private @Nullable Followers followers;

        OnceThereAreOthers(PartitionManager partitions, Parts parts) {
            this.partitions = partitions;
            this.parts = parts;
            maybeBegin();
        }

        private void maybeBegin() {
            if (partitions.image().brokers().size() < 2) {
                return;
            }
            Followers made =
                    new Followers(
                            partitions,
                            (leader, shard) ->
                                    new PeerLeaders(
                                                    parts.peers().get(),
                                                    parts.addresses(),
                                                    parts.brokerId())
                                            .connect(leader, shard),
                            parts.directories(),
                            parts.brokerEpoch(),
                            parts.config());
            followers = made;
            made.begin();
        }

        @Override
        public void onImage(ImageDelta delta, ClusterImage image) {
            Followers present = followers;
            if (present == null) {
                maybeBegin();
            } else {
                present.onImage(delta, image);
            }
        }

        @Override
        public void onFollowing(HostedPartition partition, PartitionState state) {
            Followers present = followers;
            if (present != null) {
                present.onFollowing(partition, state);
            }
        }

        @Override
        public void onDamaged(HostedPartition partition) {
            Followers present = followers;
            if (present != null) {
                present.onDamaged(partition);
            }
        }

        @Override
        public void onClosing() {
            Followers present = followers;
            if (present != null) {
                present.onClosing();
            }
        }
    }
}
