package dev.ottla.broker.network;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FrameReaderTest {
    @Test
    void streamsInAnyPiecesAreCutAsTheySay() {
        long first = Long.getLong("ottla.seed", System.nanoTime());
        int runs = Boolean.getBoolean("ottla.long") ? 500_000 : 2_000;
        for (int i = 0; i < runs; i++) {
            long seed = first + i;
            try {
                FrameStream.check(input(new SplittableRandom(seed)));
            } catch (RuntimeException | Error e) {
                throw new AssertionError("failed with -Dottla.seed=" + seed, e);
            }
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
