package dev.ottla.metadata.codec;

import dev.ottla.metadata.MetadataRecord;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.MetadataRecords;
import dev.ottla.wire.WireException;
import dev.ottla.wire.WireReader;
import dev.ottla.wire.message.MetadataRecordType;
import java.nio.ByteBuffer;

/// Writes and reads the values of records of `__cluster_metadata`, in Kafka's frame and with Kafka's
/// schemas at `metadata.version` 4.4-IV2, so that Kafka's tools show them.
///
///     | frame version, 1: uvarint | record type uvarint | version uvarint | message |
///
/// Our own records travel in tagged fields that tools skip: the cluster id in a NoOpRecord, full
/// directories in a BrokerRegistrationChangeRecord that changes nothing else.
public final class MetadataCodec {
    private static final int MAX_FRAME_BYTES = 3;

    private MetadataCodec() {}

    /// The value of a record, ready to be read.
    public static ByteBuffer encode(MetadataRecord record) {
        ApiMessage message = RecordWriter.message(record);
        return MetadataRecords.value(message, RecordWriter.version(message));
    }

    /// What [#encode] produces, at most.
    public static int sizeBytes(MetadataRecord record) {
        ApiMessage message = RecordWriter.message(record);
        return MAX_FRAME_BYTES + message.size(RecordWriter.version(message));
    }

    /// Reads a value; fails with [WireException] when it is malformed or of a kind that this
    /// version of Ottla does not know: going on without it would show a wrong cluster.
    public static MetadataRecord decode(ByteBuffer value) {
        WireReader reader = new WireReader(value);
        MetadataRecords.Header header = MetadataRecords.readHeader(reader);
        MetadataRecordType type =
                MetadataRecordType.forId(header.apiKey())
                        .orElseThrow(() -> unknown("type", header.apiKey()));
        if (header.version() < type.lowestVersion() || header.version() > type.highestVersion()) {
            throw unknown("version of " + type, header.version());
        }
        ApiMessage message = type.read(reader, header.version());
        reader.expectEnd();
        return RecordReader.record(message);
    }

    private static WireException unknown(String what, int number) {
        return new WireException(
                "the metadata log has a record with the unknown %s %d: a newer version wrote it"
                        .formatted(what, number));
    }
}
