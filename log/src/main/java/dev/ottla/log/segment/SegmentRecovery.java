package dev.ottla.log.segment;

import dev.ottla.log.disk.DiskFile;
import dev.ottla.log.disk.SharedFile;
import dev.ottla.record.RecordBatch;
import dev.ottla.record.RecordBatches;
import dev.ottla.record.RecordBatches.Step;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/// Reads a segment behind a trusted offset again: checks every batch, rebuilds the indexes and
/// tells where the whole batches end. Owned by one thread, used for one segment after the other.
public final class SegmentRecovery {
    private static final int CHUNK_BYTES = 256 << 10;

    /// A batch that claims to be larger is torn; no request can carry one.
    private static final int MAX_BATCH_BYTES = 256 << 20;

    private final LogIo io;
    private final int indexIntervalBytes;

    public SegmentRecovery(LogIo io, int indexIntervalBytes) {
        this.io = io;
        this.indexIntervalBytes = indexIntervalBytes;
    }

    /// What was found: the offset behind the last good batch, and what is wrong with the bytes
    /// behind it, if there are any; the segment does not count these any more, the file still has
    /// them.
    public record Result(
            long nextOffset, long scannedBytes, long badBytes, Optional<String> fault) {}

    /// Told of every batch that is read, in order.
    public interface BatchVisitor {
        void onBatch(RecordBatch batch) throws IOException;
    }

    /// Recovers a segment whose batches below `trustedOffset` are known to be durable with their
    /// index entries. The visitor sees every batch from some place at or before that offset on.
    public Result recover(Segment segment, long trustedOffset, BatchVisitor visitor)
            throws IOException {
        segment.openIndexes(io);
        long fileBytes = segment.sizeBytes();
        SharedFile file = io.openFiles().use(segment).retain();
        try {
            long start = segment.resetBehind(io, trustedOffset);
            if (start > 0 && !startsBatch(file.file(), segment, start, fileBytes)) {
                start = segment.resetBehind(io, segment.baseOffset());
            }
            segment.setSizeBytes(start);
            return scan(segment, file.file(), start, fileBytes, visitor);
        } finally {
            file.release();
            io.trimChunk(CHUNK_BYTES);
        }
    }

    /// Whether the last index entry tells the truth about the batch it points to.
    private boolean startsBatch(DiskFile file, Segment segment, long position, long fileBytes)
            throws IOException {
        BatchScan scan = io.scan().start(file, position, fileBytes);
        return scan.next() && scan.lastOffset() == segment.lastIndexedOffset(io);
    }

    private Result scan(
            Segment segment, DiskFile file, long start, long fileBytes, BatchVisitor visitor)
            throws IOException {
        long position = start;
        long nextOffset = segment.baseOffset();
        Optional<String> reason = Optional.empty();
        while (position < fileBytes && reason.isEmpty()) {
            RecordBatches batches = load(file, position, fileBytes);
            Step step = batches.next();
            while (step instanceof Step.Batch(RecordBatch batch)) {
                reason = fault(batch, nextOffset);
                if (reason.isPresent()) {
                    break;
                }
                segment.onAppend(
                        io,
                        batch.lastOffset(),
                        batch.maxTimestamp(),
                        batch.sizeBytes(),
                        indexIntervalBytes);
                visitor.onBatch(batch);
                nextOffset = batch.nextOffset();
                position += batch.sizeBytes();
                step = batches.next();
            }
            if (reason.isEmpty()) {
                reason = stopReason(step, position, fileBytes);
            }
        }
        return new Result(nextOffset, position - start, fileBytes - position, reason);
    }

    /// The batches from a position on, in a chunk that holds the first of them whole if the file
    /// does.
    private RecordBatches load(DiskFile file, long position, long fileBytes) throws IOException {
        long available = fileBytes - position;
        int wanted = (int) Math.min(CHUNK_BYTES, available);
        while (true) {
            ByteBuffer chunk = io.chunk(wanted);
            chunk.limit((int) Math.min(chunk.capacity(), available));
            if (file.read(chunk, position) == 0) {
                throw new DamagedLogException(
                        "%s ends at byte %d, expected %d".formatted(file, position, fileBytes));
            }
            chunk.flip();
            Step step = RecordBatches.in(chunk).next();
            if (!(step instanceof Step.Partial partial) || !isLoadable(partial, available)) {
                return RecordBatches.in(chunk);
            }
            wanted = partial.neededBytes();
        }
    }

    /// Why the walk through a chunk ended; empty when it goes on with the next chunk.
    private Optional<String> stopReason(Step step, long position, long fileBytes) {
        return switch (step) {
            case Step.Batch _, Step.End _ -> Optional.empty();
            case Step.Partial partial when isLoadable(partial, fileBytes - position) ->
                    Optional.empty();
            case Step.Partial partial ->
                    Optional.of(
                            "the file ends inside a batch: %d bytes of %d"
                                    .formatted(fileBytes - position, partial.neededBytes()));
            case Step.Malformed malformed ->
                    Optional.of(malformed.fault() + " of the batch is " + malformed.value());
        };
    }

    private static boolean isLoadable(Step.Partial partial, long availableBytes) {
        return partial.neededBytes() <= Math.min(availableBytes, MAX_BATCH_BYTES);
    }

    private static Optional<String> fault(RecordBatch batch, long minOffset) {
        if (batch.baseOffset() < minOffset || batch.lastOffsetDelta() < 0) {
            return Optional.of(
                    "the batch has offsets %d to %d, expected %d or more"
                            .formatted(batch.baseOffset(), batch.lastOffset(), minOffset));
        }
        if (!batch.isCrcValid()) {
            return Optional.of(
                    "the checksum of the batch at offset " + batch.baseOffset() + " is wrong");
        }
        return Optional.empty();
    }
}
