package dev.ottla.broker.network;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Cuts one connection's bytes into frames. Owned by the connection's network loop.
///
///     | size int32 | size bytes |      big-endian; size is at least 1 and at most the limit
///
/// It tells the transport which buffer to read into, so a frame is read from the socket straight into one direct buffer
/// of exactly its size. Only what arrives together with the size field is copied: small frames are read, several at a
/// time, into a scratch buffer that all connections of a loop share. An idle connection holds no memory.
///
/// Every read of the socket, and every answer, costs more than copying what it brings, so one read takes as much as it
/// can, and after a frame that ended where the bytes did the reader looks for the next one, as long as that is often
/// there: the clients that keep several requests under way are those that the broker is busiest for.
///
/// The size is checked and the admission asked before anything is allocated. A frame that is not admitted pauses the
/// connection: bytes already read are kept aside until `resume`, and counted. That is one scratch buffer, and one more
/// when the client ends its side meanwhile, because the transport then reads without being asked. Where memory is not
/// plentiful it is the small one.
final class FrameReader implements RecvByteBufAllocator, RecvByteBufAllocator.ExtendedHandle {
    private static final int SIZE_FIELD_BYTES = 4;

    /// Content type and major version of a TLS handshake.
    private static final int TLS_HANDSHAKE = 0x1603;

    /// "GET ", "HEAD", "POST", "PUT ".
    private static final Set<Integer> HTTP_METHODS =
            Set.of(0x47455420, 0x48454144, 0x504f5354, 0x50555420);

    private static final int MAX_READS_PER_TURN = 16;

    /// Frames after which the socket is tried again for a next one at the latest.
    private static final int MAX_TRIES_LEFT_OUT = 16;

    /// What the reader asks and tells its connection.
    interface Sink {
        /// A frame of this size begins; true when there is memory for it, and then it is reserved.
        boolean admit(int sizeBytes);

        /// The buffer passes to the receiver.
        void onFrame(ByteBuf frame);

        /// Whether the loop has time for more of this connection before others have their turn.
        boolean hasTime();

        /// Whether so much memory is left that a connection may keep a large read aside.
        boolean isMemoryPlentiful();

        /// The bytes kept aside for frames that were not admitted have become more, or fewer.
        void keepsAside(int moreBytes);
    }

    /// A size field that cannot be.
    static final class BadFrameException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String what;

        BadFrameException(String message) {
            super(message, null, false, false);
            what = message;
        }

        /// What the client did.
        String what() {
            return what;
        }
    }

    private final int maxFrameBytes;
    private final Scratch scratch;
    private final ByteBufAllocator allocator;
    private final Sink sink;

    private int sizeField;
    private int sizeFieldBytesRead;
    private @Nullable ByteBuf frame;
    private ByteBuf heldBack = Unpooled.EMPTY_BUFFER;
    private boolean readingFrame;
    private boolean paused;
    private boolean closed;

    private int readsThisTurn;
    private int attemptedBytes;
    private int lastBytes;

    /// Whether the next read looks for a frame that may not be there.
    private boolean trying;

    private int triesToLeaveOut;
    private int leftOutLastTime;

    FrameReader(int maxFrameBytes, Scratch scratch, ByteBufAllocator allocator, Sink sink) {
        this.maxFrameBytes = maxFrameBytes;
        this.scratch = scratch;
        this.allocator = allocator;
        this.sink = sink;
    }

    /// The transport read into the buffer that `allocate` gave it.
    void onRead(ByteBuf buffer) {
        if (closed) {
            buffer.release();
        } else if (readingFrame) {
            buffer.release();
            finishFrameIfFull();
        } else {
            try {
                cut(buffer);
                holdBack(buffer);
            } finally {
                buffer.release();
            }
        }
    }

    /// Asks for admission again and goes on with the bytes that were kept aside; returns whether
    /// the socket may be read.
    boolean resume() {
        if (paused && !closed) {
            paused = false;
            ByteBuf held = heldBack;
            heldBack = Unpooled.EMPTY_BUFFER;
            sink.keepsAside(-held.readableBytes());
            try {
                if (sizeFieldBytesRead == SIZE_FIELD_BYTES && frame == null) {
                    begin();
                }
                cut(held);
                if (held.readableBytes() > held.capacity() / 2) {
                    // Asked for again and again, it is not copied each time.
                    sink.keepsAside(held.readableBytes());
                    heldBack = held.retain();
                } else {
                    holdBack(held);
                }
            } finally {
                held.release();
            }
        }
        return !paused;
    }

    boolean isPaused() {
        return paused;
    }

    /// Gives all memory back; the reader must not be used any more.
    void close() {
        closed = true;
        paused = true;
        sink.keepsAside(-heldBack.readableBytes());
        heldBack.release();
        heldBack = Unpooled.EMPTY_BUFFER;
        if (frame != null) {
            frame.release();
            frame = null;
        }
    }

    private void cut(ByteBuf in) {
        while (in.isReadable() && !paused) {
            if (frame == null) {
                readSizeField(in);
            } else {
                frame.writeBytes(in, Math.min(in.readableBytes(), frame.writableBytes()));
                finishFrameIfFull();
            }
        }
    }

    private void readSizeField(ByteBuf in) {
        while (in.isReadable() && sizeFieldBytesRead < SIZE_FIELD_BYTES) {
            sizeField = (sizeField << 8) | (in.readByte() & 0xff);
            sizeFieldBytesRead++;
        }
        if (sizeFieldBytesRead == SIZE_FIELD_BYTES) {
            if (sizeField <= 0 || sizeField > maxFrameBytes) {
                throw new BadFrameException(
                        "announced a frame of "
                                + sizeField
                                + " bytes; 1 to "
                                + maxFrameBytes
                                + " are allowed"
                                + guessedProtocol(sizeField));
            }
            begin();
        }
    }

    /// What a client that is no Kafka client at all most likely speaks, by its first four bytes.
    private static String guessedProtocol(int firstBytes) {
        if (firstBytes >>> 16 == TLS_HANDSHAKE) {
            return " (it begins as TLS does, which this listener does not speak)";
        }
        return HTTP_METHODS.contains(firstBytes)
                ? " (it begins as HTTP does, which this listener does not speak)"
                : "";
    }

    private void begin() {
        if (sink.admit(sizeField)) {
            frame = allocator.directBuffer(sizeField, sizeField);
        } else {
            paused = true;
        }
    }

    private void finishFrameIfFull() {
        ByteBuf full = frame;
        if (full != null && !full.isWritable()) {
            frame = null;
            sizeField = 0;
            sizeFieldBytesRead = 0;
            sink.onFrame(full);
        }
    }

    private void holdBack(ByteBuf rest) {
        if (rest.isReadable()) {
            int more = rest.readableBytes();
            int bytes = heldBack.readableBytes() + more;
            ByteBuf all = allocator.directBuffer(bytes, bytes);
            all.writeBytes(heldBack).writeBytes(rest);
            sink.keepsAside(more);
            heldBack.release();
            heldBack = all;
        }
    }

    // The transport's side: which buffer to read into, and whether to read again.

    @Override
    public FrameReader newHandle() {
        return this;
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator ignored) {
        readingFrame = frame != null;
        if (frame != null) return frame.retain();
        ByteBuf buffer = sink.isMemoryPlentiful() ? scratch.large() : scratch.small();
        return buffer.clear().retain();
    }

    @Override
    public int guess() {
        return frame != null ? frame.writableBytes() : Scratch.LARGE_BYTES;
    }

    @Override
    public void reset(ChannelConfig config) {
        readsThisTurn = 0;
    }

    @Override
    public void incMessagesRead(int count) {
        readsThisTurn += count;
    }

    @Override
    public void lastBytesRead(int bytes) {
        lastBytes = bytes;
        if (trying) {
            trying = false;
            leftOutLastTime = bytes > 0 ? 0 : Math.min(MAX_TRIES_LEFT_OUT, 2 * leftOutLastTime + 1);
            triesToLeaveOut = leftOutLastTime;
        }
    }

    @Override
    public int lastBytesRead() {
        return lastBytes;
    }

    @Override
    public void attemptedBytesRead(int bytes) {
        attemptedBytes = bytes;
    }

    @Override
    public int attemptedBytesRead() {
        return attemptedBytes;
    }

    /// Reads on while buffers are filled to the brim: a short read emptied the socket. The
    /// transport asks once after each read, which [#looksForAnotherFrame] counts on.
    @Override
    public boolean continueReading() {
        if (paused
                || readsThisTurn >= MAX_READS_PER_TURN
                || lastBytes <= 0
                || lastBytes < attemptedBytes
                || !sink.hasTime()) {
            return false;
        }
        boolean frameEndedWithTheBytes = readingFrame && frame == null;
        return !frameEndedWithTheBytes || looksForAnotherFrame();
    }

    /// After a frame that ended exactly where the bytes did, many clients wait for the answer, and
    /// another read would find nothing; each time that it does, more such reads are left out.
    private boolean looksForAnotherFrame() {
        trying = triesToLeaveOut == 0;
        if (!trying) {
            triesToLeaveOut--;
        }
        return trying;
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMoreDataSupplier) {
        return continueReading();
    }

    @Override
    public void readComplete() {}
}
