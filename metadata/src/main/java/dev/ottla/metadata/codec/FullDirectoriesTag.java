package dev.ottla.metadata.codec;

import dev.ottla.metadata.MetadataRecord;
import dev.ottla.wire.UnknownTaggedField;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.BrokerRegistrationChangeRecord;
import java.util.List;
import java.util.Optional;

/// The directories without room inside a BrokerRegistrationChangeRecord: a tagged field that Kafka
/// does not have, in a heartbeat too ([TaggedUuids]).
final class FullDirectoriesTag {
    private FullDirectoriesTag() {}

    static BrokerRegistrationChangeRecord write(MetadataRecord.FullDirectories record) {
        return BrokerRegistrationChangeRecord.builder()
                .brokerId(record.brokerId())
                .brokerEpoch(record.brokerEpoch())
                .unknownTaggedFields(List.of(TaggedUuids.write(record.directories())))
                .build();
    }

    static Optional<MetadataRecord.FullDirectories> read(BrokerRegistrationChangeRecord record) {
        List<UnknownTaggedField> fields = record.unknownTaggedFields();
        Optional<List<Uuid>> directories = TaggedUuids.read(fields);
        return directories.map(full ->
                new MetadataRecord.FullDirectories(record.brokerId(), record.brokerEpoch(), full));
    }
}
