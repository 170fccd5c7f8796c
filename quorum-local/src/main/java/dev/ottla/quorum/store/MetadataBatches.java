package dev.ottla.quorum.store;

import dev.ottla.metadata.MetadataBatch;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.metadata.codec.MetadataCodec;
import dev.ottla.record.BatchBuilder;
import dev.ottla.record.ControlRecords;
import dev.ottla.record.ControlType;
import dev.ottla.record.RecordBatch;
import dev.ottla.record.RecordCursor;
import dev.ottla.wire.Message;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.LeaderChangeMessage;
import dev.ottla.wire.message.SnapshotFooterRecord;
import dev.ottla.wire.message.SnapshotHeaderRecord;
import dev.ottla.wire.message.VotersRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Metadata records to record batches and back. Records have no key; control batches are the
/// engine's own.
public final class MetadataBatches {
    private MetadataBatches() {}

    public static ByteBuffer encode(List<MetadataRecord> records, long timestampMs) {
        BatchBuilder builder = new BatchBuilder();
        for (MetadataRecord record : records) {
            builder.append(timestampMs, null, MetadataCodec.encode(record));
        }
        return builder.build();
    }

    public static MetadataBatch decode(RecordBatch batch) {
        List<MetadataRecord> records = new ArrayList<>(batch.recordCount());
        RecordCursor cursor = batch.uncompressedRecords();
        while (cursor.next()) records.add(MetadataCodec.decode(cursor.value()));
        return new MetadataBatch(
                batch.baseOffset(), batch.leaderEpoch(), batch.maxTimestamp(), records);
    }

    /// The first batch of each epoch.
    public static ByteBuffer leaderChange(int nodeId, long timestampMs) {
        LeaderChangeMessage.Voter self =
                new LeaderChangeMessage.Voter(nodeId, Uuid.ZERO, List.of());
        return control(
                ControlType.LEADER_CHANGE,
                LeaderChangeMessage.builder()
                        .leaderId(nodeId)
                        .voters(List.of(self))
                        .grantingVoters(List.of(self))
                        .build(),
                timestampMs);
    }

    /// The last batch of an engine that a quorum follows: who votes first in that. Kafka's record
    /// of the voters (KIP-853).
    public static ByteBuffer seal(QuorumVoter first, long timestampMs) {
        return control(
                ControlType.KRAFT_VOTERS,
                VotersRecord.builder()
                        .voters(
                                List.of(
                                        VotersRecord.Voter.builder()
                                                .voterId(first.nodeId())
                                                .voterDirectoryId(first.directoryId())
                                                .endpoints(
                                                        List.of(
                                                                VotersRecord.Endpoint.builder()
                                                                        .name("CONTROLLER")
                                                                        .host(first.host())
                                                                        .port(first.port())
                                                                        .build()))
                                                .build()))
                        .build(),
                timestampMs);
    }

    /// Whether a batch is one of [#seal].
    static boolean isSeal(RecordBatch batch) {
        return batch.isControl() && ControlRecords.typeOf(batch) == ControlType.KRAFT_VOTERS;
    }

    static ByteBuffer snapshotHeader(long lastLogTimestampMs) {
        return control(
                ControlType.SNAPSHOT_HEADER,
                SnapshotHeaderRecord.builder()
                        .lastContainedLogTimestamp(lastLogTimestampMs)
                        .build(),
                lastLogTimestampMs);
    }

    static ByteBuffer snapshotFooter(long timestampMs) {
        return control(
                ControlType.SNAPSHOT_FOOTER, SnapshotFooterRecord.builder().build(), timestampMs);
    }

    private static ByteBuffer control(ControlType type, Message message, long timestampMs) {
        return ControlRecords.batch(type, message.toBuffer(message.lowestVersion()), timestampMs);
    }
}
