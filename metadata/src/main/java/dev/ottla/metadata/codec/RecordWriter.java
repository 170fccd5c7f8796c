package dev.ottla.metadata.codec;

import dev.ottla.metadata.Directories;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.AbortTransactionRecord;
import dev.ottla.wire.message.BeginTransactionRecord;
import dev.ottla.wire.message.BrokerRegistrationChangeRecord;
import dev.ottla.wire.message.ClearElrRecord;
import dev.ottla.wire.message.ConfigRecord;
import dev.ottla.wire.message.EndTransactionRecord;
import dev.ottla.wire.message.FeatureLevelRecord;
import dev.ottla.wire.message.NoOpRecord;
import dev.ottla.wire.message.PartitionChangeRecord;
import dev.ottla.wire.message.PartitionRecord;
import dev.ottla.wire.message.ProducerIdsRecord;
import dev.ottla.wire.message.RegisterBrokerRecord;
import dev.ottla.wire.message.RemoveTopicRecord;
import dev.ottla.wire.message.TopicRecord;
import dev.ottla.wire.message.UnregisterBrokerRecord;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Own records to generated messages.
final class RecordWriter {
    static final byte RECOVERED = 0;
    static final byte RECOVERING = 1;
    private static final byte UNCHANGED = -1;
    private static final int LEADER_UNCHANGED = -2;

    private RecordWriter() {}

    /// The version that `metadata.version` 4.4-IV2 prescribes: the highest of each.
    static short version(ApiMessage message) {
        return message.highestVersion();
    }

    static ApiMessage message(MetadataRecord record) {
        return switch (record) {
            case MetadataRecord.ClusterId r -> ClusterIdTag.write(r.id());
            case MetadataRecord.RegisterBroker r -> message(r);
            case MetadataRecord.UnregisterBroker r ->
                    UnregisterBrokerRecord.builder()
                            .brokerId(r.brokerId())
                            .brokerEpoch(r.brokerEpoch())
                            .build();
            case MetadataRecord.BrokerChange r -> message(r);
            case MetadataRecord.FullDirectories r -> FullDirectoriesTag.write(r);
            case MetadataRecord.Topic r ->
                    TopicRecord.builder().name(r.name()).topicId(r.topicId()).build();
            case MetadataRecord.RemoveTopic r ->
                    RemoveTopicRecord.builder().topicId(r.topicId()).build();
            case MetadataRecord.Partition r -> message(r);
            case MetadataRecord.PartitionChange r -> message(r);
            case MetadataRecord.ClearElr r ->
                    ClearElrRecord.builder().topicName(r.topicName()).build();
            case MetadataRecord.Config r ->
                    ConfigRecord.builder()
                            .resourceType(r.resource().type().id())
                            .resourceName(r.resource().name())
                            .name(r.name())
                            .value(orNull(r.value()))
                            .build();
            case MetadataRecord.FeatureLevel r ->
                    FeatureLevelRecord.builder().name(r.name()).featureLevel(r.level()).build();
            case MetadataRecord.ProducerIds r ->
                    ProducerIdsRecord.builder()
                            .brokerId(r.brokerId())
                            .brokerEpoch(r.brokerEpoch())
                            .nextProducerId(r.nextProducerId())
                            .build();
            case MetadataRecord.NoOp _ -> NoOpRecord.builder().build();
            case MetadataRecord.BeginTransaction r ->
                    BeginTransactionRecord.builder().name(r.name()).build();
            case MetadataRecord.EndTransaction _ -> EndTransactionRecord.builder().build();
            case MetadataRecord.AbortTransaction r ->
                    AbortTransactionRecord.builder().reason(r.reason()).build();
        };
    }

    private static ApiMessage message(MetadataRecord.RegisterBroker r) {
        return RegisterBrokerRecord.builder()
                .brokerId(r.brokerId())
                .incarnationId(r.incarnationId())
                .brokerEpoch(r.brokerEpoch())
                .endPoints(
                        r.endpoints().stream()
                                .map(e ->
                                        RegisterBrokerRecord.BrokerEndpoint.builder()
                                                .name(e.listener())
                                                .host(e.host())
                                                .port(e.port())
                                                .securityProtocol(e.securityProtocol())
                                                .build())
                                .toList())
                .features(
                        new TreeMap<>(r.features())
                                .entrySet().stream()
                                        .map(e ->
                                                RegisterBrokerRecord.BrokerFeature.builder()
                                                        .name(e.getKey())
                                                        .minSupportedVersion(e.getValue().lowest())
                                                        .maxSupportedVersion(e.getValue().highest())
                                                        .build())
                                        .toList())
                .rack(orNull(r.rack()))
                .fenced(r.fenced())
                .inControlledShutdown(r.inControlledShutdown())
                .logDirs(r.directories())
                .cordonedLogDirs(r.cordonedDirectories())
                .build();
    }

    private static ApiMessage message(MetadataRecord.BrokerChange r) {
        byte fenced = (byte) r.fenced().map(f -> f ? 1 : -1).orElse(0).intValue();
        return BrokerRegistrationChangeRecord.builder()
                .brokerId(r.brokerId())
                .brokerEpoch(r.brokerEpoch())
                .fenced(fenced)
                .inControlledShutdown((byte) (r.inControlledShutdown() ? 1 : 0))
                .logDirs(r.directories().map(RecordWriter::neverEmpty).orElse(List.of()))
                .cordonedLogDirs(orNull(r.cordonedDirectories()))
                .build();
    }

    /// Kafka's record takes an empty list for "no change", so "none is online" names the lost
    /// directory instead.
    private static List<Uuid> neverEmpty(List<Uuid> directories) {
        return directories.isEmpty() ? List.of(Directories.LOST) : directories;
    }

    private static ApiMessage message(MetadataRecord.Partition r) {
        return PartitionRecord.builder()
                .partitionId(r.partition())
                .topicId(r.topicId())
                .replicas(r.replicas())
                .isr(r.isr())
                .removingReplicas(r.removingReplicas())
                .addingReplicas(r.addingReplicas())
                .leader(r.leader())
                .leaderRecoveryState(r.recovering() ? RECOVERING : RECOVERED)
                .leaderEpoch(r.leaderEpoch())
                .partitionEpoch(r.partitionEpoch())
                .directories(r.directories())
                .eligibleLeaderReplicas(r.elr().isEmpty() ? null : r.elr())
                .lastKnownElr(r.lastKnownElr().isEmpty() ? null : r.lastKnownElr())
                .build();
    }

    private static ApiMessage message(MetadataRecord.PartitionChange r) {
        byte recovery = r.recovering().map(on -> on ? RECOVERING : RECOVERED).orElse(UNCHANGED);
        return PartitionChangeRecord.builder()
                .partitionId(r.partition())
                .topicId(r.topicId())
                .isr(orNull(r.isr()))
                .leader(r.leader().orElse(LEADER_UNCHANGED))
                .replicas(orNull(r.replicas()))
                .removingReplicas(orNull(r.removingReplicas()))
                .addingReplicas(orNull(r.addingReplicas()))
                .leaderRecoveryState(recovery)
                .directories(orNull(r.directories()))
                .eligibleLeaderReplicas(orNull(r.elr()))
                .lastKnownElr(orNull(r.lastKnownElr()))
                .build();
    }

    private static <T> @Nullable T orNull(Optional<T> value) {
        return value.orElse(null);
    }
}
