package dev.ottla.broker.fetch;

import dev.ottla.broker.request.FileRecords;
import dev.ottla.broker.request.PooledRecords;
import dev.ottla.broker.request.ReadMemory;
import dev.ottla.log.DataDirectory;
import dev.ottla.log.LogSlice;
import dev.ottla.wire.ErrorCode;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Decides how records get from their file into the answer. On the shard's thread, or off it when
/// the disk may have to be waited for.
final class SliceReader {
    /// From here on `sendfile` is cheaper than a read into memory and a write from there.
    private static final int SENDFILE_BYTES = 32 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(SliceReader.class);

    private SliceReader() {}

    /// A task that has the system read what the part's reader will want next, if that is due and
    /// the reader so far behind that it may come from the disk.
    static Optional<Runnable> readAhead(FetchPart part) {
        LogSlice slice = part.slice;
        DataDirectory directory = part.directory;
        if (slice == null || directory == null) {
            return Optional.empty();
        }
        ReadAhead ahead = ReadAhead.of(slice.position(), slice.sizeBytes(), part.cold);
        if (ahead.isEmpty()) {
            return Optional.empty();
        }
        Runnable reading = slice.readAhead(ahead.from(), ahead.sizeBytes());
        return Optional.of(() -> {
            directory.awaitSyncPause();
            reading.run();
        });
    }

    /// Waits a moment for syncs, which records that come in wait for. Not on the shard's thread.
    static void awaitSyncPause(FetchPart part) {
        DataDirectory directory = part.directory;
        if (directory != null) {
            directory.awaitSyncPause();
        }
    }

    /// Waits until the part's records are in the page cache. Not on the shard's thread.
    static void warm(FetchPart part) {
        LogSlice slice = part.slice;
        if (slice == null) {
            return;
        }
        try {
            slice.warm();
        } catch (IOException e) {
            LOG.warn("Records could not be read ahead: {}.", e.getMessage());
        }
    }

    /// Makes the part's slice its records. A client that does not read its answers gets file
    /// regions of any size, because buffers that wait for it would take memory; and so does
    /// everybody when the memory for this is spent.
    static void toPayload(FetchPart part, BooleanSupplier slowClient, ReadMemory memory) {
        LogSlice slice = part.slice;
        if (slice == null) {
            return;
        }
        boolean small = slice.sizeBytes() < SENDFILE_BYTES && !slowClient.getAsBoolean();
        boolean hasChannel = slice.channel().isPresent();
        Optional<ByteBuf> taken =
                small || !hasChannel ? memory.tryTake(slice.sizeBytes()) : Optional.empty();
        part.slice = null;
        if (taken.isPresent()) {
            read(part, slice, new PooledRecords(taken.get(), memory));
        } else if (hasChannel) {
            part.records(new FileRecords(slice));
        } else {
            slice.release();
            part.fail(
                    ErrorCode.KAFKA_STORAGE_ERROR,
                    "There is no memory for reading partition %d of topic %s: try again."
                            .formatted(part.key().partition(), part.target().topic()));
        }
    }

    private static void read(FetchPart part, LogSlice slice, PooledRecords records) {
        ByteBuf buffer = records.buffer();
        boolean done = false;
        try {
            ByteBuffer target = buffer.nioBuffer(0, slice.sizeBytes());
            while (target.hasRemaining()) {
                if (slice.read(target, target.position()) <= 0) {
                    throw new IOException("the file ends within a batch");
                }
            }
            buffer.writerIndex(slice.sizeBytes());
            part.records(records);
            done = true;
        } catch (IOException e) {
            part.fail(
                    ErrorCode.KAFKA_STORAGE_ERROR,
                    "Partition %d of topic %s cannot be read: %s."
                            .formatted(
                                    part.key().partition(), part.target().topic(), e.getMessage()));
        } finally {
            if (!done) {
                records.release();
            }
            slice.release();
        }
    }
}
