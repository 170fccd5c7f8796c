package dev.ottla.metadata.codec;

import dev.ottla.wire.UnknownTaggedField;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.WireReader;
import dev.ottla.wire.message.NoOpRecord;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/// The cluster id inside a NoOpRecord: a tagged field that Kafka does not have.
///
///     | tag 10000 uvarint | size 16 uvarint | cluster id, 16 bytes |
final class ClusterIdTag {
    private static final int TAG = 10_000;

    private ClusterIdTag() {}

    static NoOpRecord write(Uuid clusterId) {
        ByteBuffer data =
                ByteBuffer.allocate(16)
                        .putLong(clusterId.mostSignificantBits())
                        .putLong(clusterId.leastSignificantBits())
                        .flip();
        return new NoOpRecord(List.of(new UnknownTaggedField(TAG, data)));
    }

    static Optional<Uuid> read(NoOpRecord record) {
        return record.unknownTaggedFields().stream()
                .filter(field -> field.tag() == TAG)
                .map(field -> new WireReader(field.data()).readUuid())
                .findFirst();
    }
}
