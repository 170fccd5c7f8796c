package dev.ottla.record;

import static dev.ottla.wire.Check.check;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Reads the records of batches, compressed or not. Keeps the state of each codec it met, so one is
/// made per thread or task and used again and again. Owned by one thread at a time; [#close] frees
/// native memory.
///
/// All methods throw [MalformedRecordsException] for data that is broken and
/// [DecompressionLimitException] when a compressed batch holds more than `maxUncompressedBytes`.
public final class RecordReader implements AutoCloseable {
    private final int maxUncompressedBytes;
    private final RecordScanner scanner = new RecordScanner();
    private final Map<Compression, Decoder> decoders = new EnumMap<>(Compression.class);
    private @Nullable Decoder busy;

    public RecordReader(int maxUncompressedBytes) {
        check(
                maxUncompressedBytes > 0,
                "the limit of %d uncompressed bytes is not positive",
                maxUncompressedBytes);
        this.maxUncompressedBytes = maxUncompressedBytes;
    }

    public int maxUncompressedBytes() {
        return maxUncompressedBytes;
    }

    /// Streams over a batch without its keys and values. The scanner is valid until the next call
    /// of this reader.
    public RecordScanner scan(RecordBatch batch) {
        finishBusy();
        ByteBuffer records = batch.recordBytes();
        Compression compression = batch.compression();
        if (compression == Compression.NONE) {
            scanner.start(batch, records, Decoder.ENDED, Long.MAX_VALUE);
        } else {
            scanner.start(
                    batch, Decoder.END, startDecoder(compression, records), maxUncompressedBytes);
        }
        return scanner;
    }

    /// Walks whole records. Those of a compressed batch are unpacked into a heap buffer of their
    /// own, which outlives this reader; those of an uncompressed one are read where they are.
    public RecordCursor read(RecordBatch batch) {
        return new RecordCursor(batch, uncompressed(batch));
    }

    /// All records of a batch as objects.
    public List<LogRecord> records(RecordBatch batch) {
        RecordCursor cursor = read(batch);
        List<LogRecord> records = new ArrayList<>();
        while (cursor.next()) {
            records.add(cursor.record());
        }
        return records;
    }

    /// The record section of a batch without compression.
    ByteBuffer uncompressed(RecordBatch batch) {
        ByteBuffer records = batch.recordBytes();
        Compression compression = batch.compression();
        if (compression == Compression.NONE) {
            return records;
        }
        GrowableBytes bytes = new GrowableBytes(0, 2 * records.remaining());
        unpack(
                batch,
                window -> {
                    bytes.write(window);
                    return true;
                });
        return ByteBuffer.wrap(bytes.array(), 0, bytes.size()).slice();
    }

    /// Hands out the record section of a batch without compression, in pieces that are valid during
    /// the call, as long as `taker` wants more; whether it took all.
    boolean unpack(RecordBatch batch, Predicate<ByteBuffer> taker) {
        ByteBuffer records = batch.recordBytes();
        Compression compression = batch.compression();
        if (compression == Compression.NONE) {
            return taker.test(records);
        }
        finishBusy();
        Decoder decoder = startDecoder(compression, records);
        long unpacked = 0;
        while (true) {
            ByteBuffer window = decoder.next();
            unpacked += window.remaining();
            if (unpacked > maxUncompressedBytes) {
                throw new DecompressionLimitException(maxUncompressedBytes);
            }
            boolean ended = !window.hasRemaining();
            if (ended || !taker.test(window)) {
                finishBusy();
                return ended;
            }
        }
    }

    /// Ends the last scan: lets go of its buffer at once, not at the next call.
    public void release() {
        scanner.stop();
        finishBusy();
    }

    /// Lets go of the last scanned batch's buffer and of oversized scratch memory.
    private void finishBusy() {
        if (busy != null) {
            busy.finish();
            busy = null;
        }
    }

    private Decoder startDecoder(Compression compression, ByteBuffer records) {
        Decoder decoder = decoders.computeIfAbsent(compression, Decoder::of);
        busy = decoder;
        decoder.start(records, maxUncompressedBytes);
        return decoder;
    }

    @Override
    public void close() {
        release();
        decoders.values().forEach(Decoder::close);
        decoders.clear();
    }
}
