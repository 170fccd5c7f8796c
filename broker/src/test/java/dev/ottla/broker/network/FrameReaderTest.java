package dev.ottla.broker.network;

import dev.ottla.testing.Seeds;
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
