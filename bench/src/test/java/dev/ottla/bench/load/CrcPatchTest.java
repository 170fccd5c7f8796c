package dev.ottla.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

final class CrcPatchTest {
    @Test
    void patchedChecksumEqualsTheComputedOne() {
        Random random = new Random(7);
        byte[] block = new byte[1000];
        random.nextBytes(block);
        CrcPatch patch = new CrcPatch(block.length, 6, 16);
        int before = crc(block);

        for (int round = 0; round < 100; round++) {
            byte[] changed = block.clone();
            ByteBuffer view = ByteBuffer.wrap(changed);
            long first = random.nextLong();
            long second = random.nextLong();
            view.putLong(6, view.getLong(6) ^ first).putLong(14, view.getLong(14) ^ second);

            int patched = before ^ patch.contribution(0, first) ^ patch.contribution(8, second);

            assertThat(patched).isEqualTo(crc(changed));
        }
    }

    private static int crc(byte[] block) {
        CRC32C crc = new CRC32C();
        crc.update(block);
        return (int) crc.getValue();
    }
}
