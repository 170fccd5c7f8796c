package dev.ottla.broker.coordinator;

import dev.ottla.group.record.CoordinatorRecord;
import dev.ottla.record.BatchBuilder;
import dev.ottla.record.Compression;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Turns a coordinator's records into batches that its partition takes.
final class CoordinatorBatches {
    private CoordinatorBatches() {}

    /// All records in order, in as few batches of at most `maxBatchBytes` as they fit into. A
    /// single record that is larger gets a batch of its own, which the log will judge.
    static List<ByteBuffer> of(
            List<CoordinatorRecord> records,
            long nowMs,
            int maxBatchBytes,
            Compression compression) {
        List<ByteBuffer> batches = new ArrayList<>(1);
        BatchBuilder batch = new BatchBuilder().compression(compression);
        for (CoordinatorRecord record : records) {
            ByteBuffer value = record.value().orElse(null);
            if (!batch.isEmpty()
                    && batch.sizeBytesWith(nowMs, record.key(), value, List.of()) > maxBatchBytes) {
                batches.add(batch.build());
                batch = new BatchBuilder().compression(compression);
            }
            batch.append(nowMs, record.key(), value);
        }
        if (!batch.isEmpty()) batches.add(batch.build());
        return batches;
    }
}
