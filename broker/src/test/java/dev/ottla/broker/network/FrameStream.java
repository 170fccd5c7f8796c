package dev.ottla.broker.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// One run of the frame reader against a plain reading of the same bytes. The input says how the bytes come:
///
///     | size of the first read int8 | of the second | … 16 of them, then again | the stream |
///
/// A size with its highest bit set refuses the next frame once, so that the reader pauses and is resumed; where the
/// turn of resuming has an odd size, another read comes first, as happens when the client hangs up.
final class FrameStream implements FrameReader.Sink {
    private static final int SIZES = 16;
    private static final int MAX_FRAME_BYTES = 40_000;

    /// Not watched by Netty, which takes longer than the reading: what is in use is looked at
    /// instead.
    private static final UnpooledByteBufAllocator ALLOCATOR =
            new UnpooledByteBufAllocator(false, true);

    private final byte[] input;
    private final Scratch scratch = scratch();
    private final FrameReader reader = new FrameReader(MAX_FRAME_BYTES, scratch, ALLOCATOR, this);
    private final List<String> frames = new ArrayList<>();
    private boolean refuseNext;
    private boolean plentiful;
    private int keptAside;
    private int admitted;

    private FrameStream(byte[] input) {
        this.input = input;
    }

    /// Fails when the reader and the plain reading differ.
    static void check(byte[] input) {
        if (input.length > SIZES) {
            new FrameStream(input).run();
        }
    }

    @Override
    public boolean admit(int sizeBytes) {
        assertThat(sizeBytes).isBetween(1, MAX_FRAME_BYTES);
        if (refuseNext) {
            refuseNext = false;
            return false;
        }
        admitted++;
        return true;
    }

    @Override
    public void onFrame(ByteBuf frame) {
        frames.add(ByteBufUtil.hexDump(frame));
        frame.release();
    }

    @Override
    public boolean hasTime() {
        return true;
    }

    @Override
    public boolean isMemoryPlentiful() {
        return plentiful;
    }

    @Override
    public void keepsAside(int moreBytes) {
        keptAside += moreBytes;
    }

    private static Scratch scratch() {
        ByteBuf memory = Unpooled.buffer(Scratch.LARGE_BYTES, Scratch.LARGE_BYTES);
        return new Scratch(memory, memory.slice(0, Scratch.SMALL_BYTES));
    }

    private void run() {
        List<String> expected = new ArrayList<>();
        boolean bad = readPlainly(expected);
        boolean refused = feed();
        assertThat(frames).isEqualTo(expected.subList(0, Math.min(frames.size(), expected.size())));
        assertThat(refused || frames.size() == expected.size()).isTrue();
        assertThat(refused).isEqualTo(bad);
        assertThat(admitted - frames.size()).isBetween(0, 1);
        reader.close();
        assertThat(keptAside).isZero();
        scratch.release();
        assertThat(ALLOCATOR.metric().usedDirectMemory()).isZero();
    }

    /// Whether a size was impossible.
    private boolean feed() {
        int at = SIZES;
        for (int turn = 0; at < input.length || reader.isPaused(); turn++) {
            int control = input[turn % SIZES];
            try {
                if (reader.isPaused()) {
                    refuseNext = false;
                    if ((control & 1) != 0) {
                        at += read(control, at);
                    }
                    assertThat(reader.resume()).isTrue();
                    continue;
                }
                refuseNext = control < 0;
                at += read(control, at);
            } catch (FrameReader.BadFrameException e) {
                return true;
            }
        }
        return false;
    }

    private int read(int control, int at) {
        plentiful = (control & 2) != 0;
        ByteBuf target = reader.allocate(ALLOCATOR);
        int length =
                Math.min(
                        Math.min(
                                1 + (control & 0x3f) * (plentiful ? 1_100 : 64),
                                target.writableBytes()),
                        input.length - at);
        target.writeBytes(input, at, length);
        reader.onRead(target);
        return length;
    }

    private boolean readPlainly(List<String> into) {
        ByteBuffer rest = ByteBuffer.wrap(input, SIZES, input.length - SIZES);
        while (rest.remaining() >= Integer.BYTES) {
            int size = rest.getInt();
            if (size <= 0 || size > MAX_FRAME_BYTES) {
                return true;
            }
            if (rest.remaining() < size) {
                return false;
            }
            byte[] frame = new byte[size];
            rest.get(frame);
            into.add(ByteBufUtil.hexDump(frame));
        }
        return false;
    }

    /// An input of this control and these frames.
    static byte[] of(byte[] control, byte[]... framed) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(control, 0, SIZES);
        for (byte[] frame : framed) {
            bytes.writeBytes(ByteBuffer.allocate(4).putInt(frame.length).array());
            bytes.writeBytes(frame);
        }
        return bytes.toByteArray();
    }
}
