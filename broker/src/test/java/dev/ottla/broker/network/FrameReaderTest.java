package dev.ottla.broker.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.testing.Seeds;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FrameReaderTest {
    @Test
    void streamsInAnyPiecesAreCutAsTheySay() {
        Seeds.run(
                "FrameReaderTest",
                2_000,
                seed -> FrameStream.check(input(new SplittableRandom(seed))));
    }

    @Test
    void bytesKeptAsideAreNotCopiedAtEachRefusal() {
        CountingAllocator allocator = new CountingAllocator();
        Scratch scratch = Scratch.allocate(allocator);
        Refusal refusal = new Refusal();
        FrameReader reader = new FrameReader(1 << 20, scratch, allocator, refusal);
        ByteBuf read = reader.allocate(allocator);
        read.writeInt(10_000).writeZero(5_000);
        reader.onRead(read);
        int before = allocator.allocated;

        for (int i = 0; i < 1_000; i++) {
            assertThat(reader.resume()).isFalse();
        }

        assertThat(refusal.asked).isEqualTo(1_001);
        assertThat(refusal.keptAside).isEqualTo(5_000);
        assertThat(allocator.allocated).isEqualTo(before);
        reader.close();
        scratch.release();
        assertThat(refusal.keptAside).isZero();
        assertThat(allocator.plain.metric().usedDirectMemory()).isZero();
    }

    @Test
    void socketIsNotReadAgainWhenTheTimeIsUp() {
        CountingAllocator allocator = new CountingAllocator();
        Scratch scratch = Scratch.allocate(allocator);
        Refusal sink = new Refusal();
        FrameReader reader = new FrameReader(1 << 20, scratch, allocator, sink);
        reader.attemptedBytesRead(100);
        reader.lastBytesRead(100);
        assertThat(reader.continueReading()).isTrue();

        sink.hasTime = false;

        assertThat(reader.continueReading()).isFalse();
        reader.close();
        scratch.release();
    }

    private static final class CountingAllocator extends AbstractByteBufAllocator {
        private final UnpooledByteBufAllocator plain = new UnpooledByteBufAllocator(false, true);
        private int allocated;

        @Override
        protected ByteBuf newHeapBuffer(int initialBytes, int maxBytes) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialBytes, int maxBytes) {
            allocated++;
            return plain.directBuffer(initialBytes, maxBytes);
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }

    private static final class Refusal implements FrameReader.Sink {
        private boolean hasTime = true;
        private int asked;
        private int keptAside;

        @Override
        public boolean admit(int sizeBytes) {
            asked++;
            return false;
        }

        @Override
        public void onFrame(ByteBuf frame) {
            throw new AssertionError("no frame was admitted");
        }

        @Override
        public boolean hasTime() {
            return hasTime;
        }

        @Override
        public boolean isMemoryPlentiful() {
            return true;
        }

        @Override
        public void keepsAside(int moreBytes) {
            keptAside += moreBytes;
        }
    }

    private static byte[] input(SplittableRandom random) {
        byte[] control = new byte[16];
        random.nextBytes(control);
        byte[][] frames = new byte[random.nextInt(12)][];
        for (int i = 0; i < frames.length; i++) {
            frames[i] =
                    new byte
                            [random.nextInt(8) == 0
                                    ? random.nextInt(45_000)
                                    : 1 + random.nextInt(300)];
            random.nextBytes(frames[i]);
        }
        byte[] whole = FrameStream.of(control, frames);
        int kept =
                random.nextBoolean()
                        ? whole.length
                        : Math.max(16, random.nextInt(whole.length + 1));
        byte[] cut = new byte[kept];
        System.arraycopy(whole, 0, cut, 0, kept);
        return cut;
    }
}
