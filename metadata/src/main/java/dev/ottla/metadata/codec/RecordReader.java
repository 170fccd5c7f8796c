package dev.ottla.metadata.codec;

import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.BrokerIds;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.Directories;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.VersionRange;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.WireException;
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
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// Generated messages to own records.
final class RecordReader {
    private RecordReader() {}

    static MetadataRecord record(ApiMessage message) {
        return switch (message) {
            case RegisterBrokerRecord m -> record(m);
            case UnregisterBrokerRecord m ->
                    new MetadataRecord.UnregisterBroker(m.brokerId(), m.brokerEpoch());
            case BrokerRegistrationChangeRecord m ->
                    FullDirectoriesTag.read(m)
                            .<MetadataRecord>map(full -> full)
                            .orElseGet(() -> record(m));
            case TopicRecord m -> new MetadataRecord.Topic(m.name(), m.topicId());
            case RemoveTopicRecord m -> new MetadataRecord.RemoveTopic(m.topicId());
            case PartitionRecord m -> record(m);
            case PartitionChangeRecord m -> record(m);
            case ClearElrRecord m -> new MetadataRecord.ClearElr(m.topicName());
            case ConfigRecord m -> record(m);
            case FeatureLevelRecord m ->
                    new MetadataRecord.FeatureLevel(m.name(), m.featureLevel());
            case ProducerIdsRecord m ->
                    new MetadataRecord.ProducerIds(
                            m.brokerId(), m.brokerEpoch(), m.nextProducerId());
            case NoOpRecord m ->
                    ClusterIdTag.read(m)
                            .<MetadataRecord>map(MetadataRecord.ClusterId::new)
                            .orElseGet(MetadataRecord.NoOp::new);
            case BeginTransactionRecord m -> new MetadataRecord.BeginTransaction(orEmpty(m.name()));
            case EndTransactionRecord _ -> new MetadataRecord.EndTransaction();
            case AbortTransactionRecord m ->
                    new MetadataRecord.AbortTransaction(orEmpty(m.reason()));
            default ->
                    throw new WireException(
                            "the metadata log has a "
                                    + message.getClass().getSimpleName()
                                    + ", which this version does not know: a newer one wrote it");
        };
    }

    private static MetadataRecord record(RegisterBrokerRecord m) {
        Map<String, VersionRange> features = new HashMap<>();
        for (RegisterBrokerRecord.BrokerFeature f : m.features()) {
            features.put(
                    f.name(), new VersionRange(f.minSupportedVersion(), f.maxSupportedVersion()));
        }
        List<Uuid> cordoned = m.cordonedLogDirs();
        return new MetadataRecord.RegisterBroker(
                m.brokerId(),
                m.incarnationId(),
                m.brokerEpoch(),
                m.endPoints().stream()
                        .map(e ->
                                new BrokerEndpoint(
                                        e.name(), e.host(), e.port(), e.securityProtocol()))
                        .toList(),
                features,
                Optional.ofNullable(m.rack()),
                m.fenced(),
                m.inControlledShutdown(),
                m.logDirs(),
                cordoned == null ? List.of() : cordoned);
    }

    private static MetadataRecord record(BrokerRegistrationChangeRecord m) {
        Optional<List<Uuid>> directories =
                m.logDirs().isEmpty()
                        ? Optional.empty()
                        : Optional.of(
                                m.logDirs().stream()
                                        .filter(id -> !id.equals(Directories.LOST))
                                        .toList());
        return new MetadataRecord.BrokerChange(
                m.brokerId(),
                m.brokerEpoch(),
                m.fenced() == 0 ? Optional.empty() : Optional.of(m.fenced() == 1),
                m.inControlledShutdown() == 1,
                directories,
                Optional.ofNullable(m.cordonedLogDirs()));
    }

    private static MetadataRecord record(PartitionRecord m) {
        List<Uuid> directories =
                m.directories().isEmpty()
                        ? Collections.nCopies(m.replicas().size(), Directories.MIGRATING)
                        : m.directories();
        return new MetadataRecord.Partition(
                m.topicId(),
                m.partitionId(),
                BrokerIds.copyOf(m.replicas()),
                BrokerIds.copyOf(m.isr()),
                BrokerIds.copyOf(m.removingReplicas()),
                BrokerIds.copyOf(m.addingReplicas()),
                m.leader(),
                m.leaderRecoveryState() == RecordWriter.RECOVERING,
                m.leaderEpoch(),
                m.partitionEpoch(),
                directories,
                ids(m.eligibleLeaderReplicas()).orElse(BrokerIds.NONE),
                ids(m.lastKnownElr()).orElse(BrokerIds.NONE));
    }

    private static MetadataRecord record(PartitionChangeRecord m) {
        return new MetadataRecord.PartitionChange(
                m.topicId(),
                m.partitionId(),
                ids(m.isr()),
                m.leader() < -1 ? OptionalInt.empty() : OptionalInt.of(m.leader()),
                ids(m.replicas()),
                ids(m.removingReplicas()),
                ids(m.addingReplicas()),
                m.leaderRecoveryState() < 0
                        ? Optional.empty()
                        : Optional.of(m.leaderRecoveryState() == RecordWriter.RECOVERING),
                Optional.ofNullable(m.directories()),
                ids(m.eligibleLeaderReplicas()),
                ids(m.lastKnownElr()));
    }

    private static MetadataRecord record(ConfigRecord m) {
        ConfigResource.Type type =
                ConfigResource.Type.of(m.resourceType())
                        .orElseThrow(() ->
                                new WireException(
                                        "the metadata log configures a resource of the unknown"
                                                + " type "
                                                + m.resourceType()));
        return new MetadataRecord.Config(
                new ConfigResource(type, m.resourceName()),
                m.name(),
                Optional.ofNullable(m.value()));
    }

    private static Optional<BrokerIds> ids(@Nullable List<Integer> ids) {
        return ids == null ? Optional.empty() : Optional.of(BrokerIds.copyOf(ids));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
