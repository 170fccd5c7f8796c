package dev.ottla.broker.network;

import static dev.ottla.wire.Check.check;

import dev.ottla.broker.request.FileRecords;
import dev.ottla.broker.request.PooledRecords;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.RecordsPayload;
import dev.ottla.wire.WireWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import java.nio.ByteBuffer;

/// Writes one answer to a channel: one buffer of exactly the size of everything but the log's records, sent in pieces,
/// with the records in between from wherever they are. Nothing of the log is copied.
///
///     | size int32 | correlation id int32 | tagged fields, from header version 1 | message … |
///                                                             buffer, records, buffer, records …
final class ResponseWriter implements WireWriter {
    private static final int SIZE_FIELD_BYTES = 4;
    private static final int CORRELATION_ID_BYTES = 4;

    private final Channel channel;
    private final ByteBuf buffer;
    private int sentTo;
    private int sentPayloads;

    private ResponseWriter(Channel channel, ByteBuf buffer) {
        this.channel = channel;
        this.buffer = buffer;
    }

    /// Writes without flushing; returns the bytes of the whole frame. On failure the buffer and the
    /// response's records are released; a part of the answer may then wait in the channel, which is
    /// to be closed.
    static int write(Channel channel, Exchange exchange, ApiMessage response) {
        short version = exchange.version;
        int headerVersion = exchange.api.responseHeaderVersion(version);
        int headerBytes = CORRELATION_ID_BYTES + (headerVersion > 0 ? 1 : 0);
        int frameBytes;
        ResponseWriter writer;
        try {
            frameBytes = SIZE_FIELD_BYTES + headerBytes + response.size(version);
            int ownBytes = Math.toIntExact(frameBytes - LogPayloads.sizeBytes(response));
            writer = new ResponseWriter(channel, channel.alloc().directBuffer(ownBytes, ownBytes));
        } catch (Throwable e) {
            LogPayloads.release(response);
            throw e;
        }
        try {
            writer.writeInt(frameBytes - SIZE_FIELD_BYTES);
            writer.writeInt(exchange.correlationId);
            if (headerVersion > 0) {
                writer.writeUnsignedVarint(0);
            }
            response.write(writer, version);
            writer.checkComplete();
        } catch (Throwable e) {
            writer.buffer.release();
            LogPayloads.releaseAfter(writer.sentPayloads, response);
            throw e;
        }
        writer.finish();
        return frameBytes;
    }

    private void checkComplete() {
        check(
                !buffer.isWritable(),
                "an answer is %s bytes shorter than announced",
                buffer.writableBytes());
    }

    private void finish() {
        if (sentTo == 0) {
            var _ = channel.write(buffer, channel.voidPromise());
        } else {
            sendWhatIsWritten();
            buffer.release();
        }
    }

    private void sendWhatIsWritten() {
        int end = buffer.writerIndex();
        if (end > sentTo) {
            var _ =
                    channel.write(
                            buffer.retainedSlice(sentTo, end - sentTo), channel.voidPromise());
            sentTo = end;
        }
    }

    @Override
    public void writeRecords(RecordsPayload records) {
        switch (records) {
            case BufferRecords inMemory -> writeBytes(inMemory.buffer());
            case PooledRecords pooled -> {
                sendWhatIsWritten();
                sentPayloads++;
                Runnable sent = pooled.afterRelease();
                var _ = channel.write(pooled.buffer()).addListener(_ -> sent.run());
            }
            case FileRecords file -> {
                sendWhatIsWritten();
                sentPayloads++;
                var _ = channel.write(new SliceRegion(file.slice()), channel.voidPromise());
            }
            default -> throw new IllegalArgumentException("cannot send " + records.getClass());
        }
    }

    @Override
    public void writeByte(byte value) {
        buffer.writeByte(value);
    }

    @Override
    public void writeShort(short value) {
        buffer.writeShort(value);
    }

    @Override
    public void writeInt(int value) {
        buffer.writeInt(value);
    }

    @Override
    public void writeLong(long value) {
        buffer.writeLong(value);
    }

    @Override
    public void writeDouble(double value) {
        buffer.writeDouble(value);
    }

    @Override
    public void writeUnsignedVarint(int value) {
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            buffer.writeByte(rest | 0x80);
            rest >>>= 7;
        }
        buffer.writeByte(rest);
    }

    @Override
    public void writeUnsignedVarlong(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            buffer.writeByte((int) rest | 0x80);
            rest >>>= 7;
        }
        buffer.writeByte((int) rest);
    }

    @Override
    public void writeBytes(ByteBuffer bytes) {
        buffer.writeBytes(bytes.duplicate());
    }

    @Override
    public void writeUtf8(String text, int utf8Length) {
        ByteBufUtil.reserveAndWriteUtf8(buffer, text, utf8Length);
    }
}
