package dev.ottla.broker.fetch;

import dev.ottla.broker.request.FileRecords;
import dev.ottla.broker.request.PooledRecords;
import dev.ottla.log.LogSlice;
import dev.ottla.wire.ErrorCode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/// Decides how records get from their file into the answer. On the shard's thread.
final class SliceReader {
    /// From here on `sendfile` is cheaper than a read into memory and a write from there.
    private static final int SENDFILE_BYTES = 32 << 10;

    private SliceReader() {}

    /// Takes over the slice. A client that does not read its answers gets file regions of any size,
    /// because buffers that wait for it would take memory.
    static void toPayload(
            LogSlice slice,
            BooleanSupplier slowClient,
            ByteBufAllocator allocator,
            FetchPart part) {
        boolean small = slice.sizeBytes() < SENDFILE_BYTES && !slowClient.getAsBoolean();
        if (!small && slice.channel().isPresent()) {
            part.records(new FileRecords(slice));
            return;
        }
        ByteBuf buffer = allocator.directBuffer(slice.sizeBytes(), slice.sizeBytes());
        try {
            ByteBuffer target = buffer.nioBuffer(0, slice.sizeBytes());
            while (target.hasRemaining()) {
                if (slice.read(target, target.position()) <= 0) {
                    throw new IOException("the file ends within a batch");
                }
            }
            buffer.writerIndex(slice.sizeBytes());
            part.records(new PooledRecords(buffer));
        } catch (IOException e) {
            buffer.release();
            part.fail(
                    ErrorCode.KAFKA_STORAGE_ERROR,
                    "Partition %d of topic %s cannot be read: %s."
                            .formatted(
                                    part.key().partition(), part.target().topic(), e.getMessage()));
        } finally {
            slice.release();
        }
    }
}
