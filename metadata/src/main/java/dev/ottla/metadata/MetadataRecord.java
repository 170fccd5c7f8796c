package dev.ottla.metadata;

import dev.ottla.wire.Check;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// One thing that happened to the cluster. The ordered log of these is the truth; an image is what
/// they add up to. Each kind stands for the Kafka record of nearly the same name, except
/// [ClusterId] and [FullDirectories], which are ours. Immutable.
public sealed interface MetadataRecord {
    /// Names the cluster; the first record of every log.
    record ClusterId(Uuid id) implements MetadataRecord {}

    /// A new incarnation of a broker.
    ///
    /// @param brokerEpoch fences earlier incarnations; only grows over the whole cluster
    /// @param directories ids of its log directories that are online
    /// @param cordonedDirectories those that get no new replicas
    record RegisterBroker(
            int brokerId,
            Uuid incarnationId,
            long brokerEpoch,
            List<BrokerEndpoint> endpoints,
            Map<String, VersionRange> features,
            Optional<String> rack,
            boolean fenced,
            boolean inControlledShutdown,
            List<Uuid> directories,
            List<Uuid> cordonedDirectories)
            implements MetadataRecord {
        public RegisterBroker {
            endpoints = List.copyOf(endpoints);
            features = Map.copyOf(features);
            directories = List.copyOf(directories);
            cordonedDirectories = List.copyOf(cordonedDirectories);
        }
    }

    /// The broker is gone for good.
    record UnregisterBroker(int brokerId, long brokerEpoch) implements MetadataRecord {}

    /// A change of a registration; what is empty stays as it is.
    ///
    /// @param inControlledShutdown true when that begins; false changes nothing
    /// @param directories the online ones
    record BrokerChange(
            int brokerId,
            long brokerEpoch,
            Optional<Boolean> fenced,
            boolean inControlledShutdown,
            Optional<List<Uuid>> directories,
            Optional<List<Uuid>> cordonedDirectories)
            implements MetadataRecord {
        public BrokerChange {
            directories = directories.map(List::copyOf);
            cordonedDirectories = cordonedDirectories.map(List::copyOf);
        }

        public static BrokerChange fenced(int brokerId, long brokerEpoch, boolean fenced) {
            return new BrokerChange(
                    brokerId,
                    brokerEpoch,
                    Optional.of(fenced),
                    false,
                    Optional.empty(),
                    Optional.empty());
        }
    }

    /// Which directories of the broker have no room for records; replaces what was said before.
    record FullDirectories(int brokerId, long brokerEpoch, List<Uuid> directories)
            implements MetadataRecord {
        public FullDirectories {
            directories = List.copyOf(directories);
        }
    }

    record Topic(String name, Uuid topicId) implements MetadataRecord {}

    /// Removes the topic, its partitions and its configuration.
    record RemoveTopic(Uuid topicId) implements MetadataRecord {}

    /// A new partition, or in a snapshot the state of one.
    ///
    /// @param replicas in order of preference
    /// @param leader a broker id, or -1
    /// @param recovering whether the leader was elected from outside the ISR and has not recovered
    /// @param directories of the replicas, in their order
    record Partition(
            Uuid topicId,
            int partition,
            BrokerIds replicas,
            BrokerIds isr,
            BrokerIds removingReplicas,
            BrokerIds addingReplicas,
            int leader,
            boolean recovering,
            int leaderEpoch,
            int partitionEpoch,
            List<Uuid> directories,
            BrokerIds elr,
            BrokerIds lastKnownElr)
            implements MetadataRecord {
        public Partition {
            directories = List.copyOf(directories);
            Check.check(
                    directories.size() == replicas.size(),
                    "partition %s-%d has %d replicas, but %d directories",
                    topicId,
                    partition,
                    replicas.size(),
                    directories.size());
        }
    }

    /// A change of a partition; what is empty stays as it is. Each change raises the partition
    /// epoch; naming a leader, even the present one, raises the leader epoch.
    record PartitionChange(
            Uuid topicId,
            int partition,
            Optional<BrokerIds> isr,
            OptionalInt leader,
            Optional<BrokerIds> replicas,
            Optional<BrokerIds> removingReplicas,
            Optional<BrokerIds> addingReplicas,
            Optional<Boolean> recovering,
            Optional<List<Uuid>> directories,
            Optional<BrokerIds> elr,
            Optional<BrokerIds> lastKnownElr)
            implements MetadataRecord {
        public PartitionChange {
            directories = directories.map(List::copyOf);
        }
    }

    /// Forgets the eligible leader replicas of a topic; of all topics when the name is empty.
    record ClearElr(String topicName) implements MetadataRecord {}

    /// Sets a configuration, or removes it when the value is empty.
    record Config(ConfigResource resource, String name, Optional<String> value)
            implements MetadataRecord {}

    /// Finalises a feature; level 0 switches it off.
    record FeatureLevel(String name, short level) implements MetadataRecord {}

    /// Ids below `nextProducerId` are handed out or lie in a block that is.
    record ProducerIds(int brokerId, long brokerEpoch, long nextProducerId)
            implements MetadataRecord {}

    /// Changes nothing.
    record NoOp() implements MetadataRecord {}

    /// No change by itself: says which of the changes around it count together.
    sealed interface TransactionMarker extends MetadataRecord {}

    /// What follows, up to the end, takes effect as a whole or not at all (KIP-868).
    record BeginTransaction(String name) implements TransactionMarker {}

    record EndTransaction() implements TransactionMarker {}

    /// Drops what stands between the begin and here.
    record AbortTransaction(String reason) implements TransactionMarker {}
}
