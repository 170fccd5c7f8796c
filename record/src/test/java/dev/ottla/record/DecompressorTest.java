package dev.ottla.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DecompressorTest {
    @ParameterizedTest
    @EnumSource(Compression.class)
    void whatWasCompressedComesBack(Compression compression) {
        byte[] bytes = bytes(300_000);

        ByteBuffer back =
                Decompressor.decompress(compression, compressed(compression, bytes), 300_000);

        assertThat(back).isEqualTo(ByteBuffer.wrap(bytes));
    }

    @ParameterizedTest
    @EnumSource(Compression.class)
    void moreThanAllowedIsRefused(Compression compression) {
        ByteBuffer compressed = compressed(compression, bytes(300_000));

        assertThatThrownBy(() -> Decompressor.decompress(compression, compressed, 299_999))
                .isInstanceOf(DecompressionLimitException.class);
    }

    @ParameterizedTest
    @EnumSource(value = Compression.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void whatTheCodecDidNotWriteIsRefused(Compression compression) {
        assertThatThrownBy(() ->
                        Decompressor.decompress(
                                compression, ByteBuffer.wrap(new byte[] {1, 2, 3}), 1_000))
                .isInstanceOf(MalformedRecordsException.class);
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        Random random = new Random(7);
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) random.nextInt(8);
        }
        return bytes;
    }

    private static ByteBuffer compressed(Compression compression, byte[] bytes) {
        GrowableBytes target = new GrowableBytes(0, 10);
        Encoder.encode(target, compression, compression.defaultLevel(), bytes, 0, bytes.length);
        return ByteBuffer.wrap(target.array(), 0, target.size()).asReadOnlyBuffer();
    }
}
