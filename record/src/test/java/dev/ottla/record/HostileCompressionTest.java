package dev.ottla.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.xerial.snappy.Snappy;

/// Compressed data that no Kafka client of Java writes: other framings, broken data, bombs.
class HostileCompressionTest {
    private static final int LIMIT = 1 << 20;
    private static final int ROUNDS = Boolean.getBoolean("ottla.long") ? 10_000_000 : 1_000;

    @Test
    void bareSnappyBlockIsRead() throws IOException {
        byte[] content = content(100_000);

        assertThat(unpack(Compression.SNAPPY, Snappy.compress(content))).isEqualTo(content);
    }

    @Test
    void snappyHeaderBetweenBlocksIsSkipped() {
        byte[] one = packed(Compression.SNAPPY, content(40_000));
        byte[] twice = concatenated(one, one);

        assertThat(unpack(Compression.SNAPPY, twice))
                .isEqualTo(concatenated(content(40_000), content(40_000)));
    }

    @Test
    void gzipMembersFollowEachOther() throws IOException {
        byte[] content = content(100_000);
        ByteArrayOutputStream first = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(first)) {
            gzip.write(content);
        }

        byte[] packed = concatenated(first.toByteArray(), packed(Compression.GZIP, content));

        assertThat(unpack(Compression.GZIP, packed)).isEqualTo(concatenated(content, content));
    }

    @Test
    void optionalGzipFieldsAreSkipped() {
        byte[] plain = packed(Compression.GZIP, content(1_000));
        byte[] flagged = Arrays.copyOf(plain, 10);
        flagged[3] = 0x02 | 0x04 | 0x08 | 0x10;
        byte[] fields = {3, 0, 'x', 'y', 'z', 'n', 'a', 'm', 'e', 0, 'c', 0, 9, 9};

        byte[] packed =
                concatenated(
                        flagged, concatenated(fields, Arrays.copyOfRange(plain, 10, plain.length)));

        assertThat(unpack(Compression.GZIP, packed)).isEqualTo(content(1_000));
    }

    @Test
    void lz4FramesOfOtherWritersAreRead() throws IOException {
        for (BLOCKSIZE size : BLOCKSIZE.values()) {
            byte[] content = content(600_000);
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (OutputStream lz4 =
                    new LZ4FrameOutputStream(
                            packed,
                            size,
                            content.length,
                            FLG.Bits.BLOCK_INDEPENDENCE,
                            FLG.Bits.BLOCK_CHECKSUM,
                            FLG.Bits.CONTENT_CHECKSUM,
                            FLG.Bits.CONTENT_SIZE)) {
                lz4.write(content);
            }

            assertThat(unpack(Compression.LZ4, packed.toByteArray()))
                    .as("%s", size)
                    .isEqualTo(content);
        }
    }

    @Test
    void zstdFramesFollowEachOtherWithLargeWindows() throws IOException {
        byte[] content = content(300_000);
        ByteArrayOutputStream streamed = new ByteArrayOutputStream();
        try (ZstdOutputStream zstd = new ZstdOutputStream(streamed, 22)) {
            zstd.setLong(27);
            zstd.write(content);
        }

        byte[] packed = concatenated(streamed.toByteArray(), Zstd.compress(content, 1));

        assertThat(unpack(Compression.ZSTD, packed)).isEqualTo(concatenated(content, content));
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void bombsStopAtTheLimit(Compression codec) {
        int size = codec == Compression.SNAPPY ? 2 * LIMIT : 100 * LIMIT;
        ByteBuffer bomb =
                new BatchBuilder()
                        .compression(codec)
                        .append(0, null, ByteBuffer.allocate(size))
                        .build();
        try (RecordReader reader = new RecordReader(LIMIT)) {
            RecordBatch batch = RecordBatch.at(bomb, 0);

            assertThatThrownBy(() -> reader.scan(batch).next())
                    .isInstanceOf(DecompressionLimitException.class);
            assertThatThrownBy(() -> reader.read(batch))
                    .isInstanceOf(DecompressionLimitException.class)
                    .hasMessageContaining("more than 1048576 bytes");
        }
    }

    @ParameterizedTest
    @EnumSource
    void recompressionOfBombTakesNoMoreMemoryThanItMayKeep(Compression target) {
        int unpacked = 64 * LIMIT;
        ByteBuffer bomb =
                new BatchBuilder()
                        .compression(Compression.ZSTD)
                        .append(0, null, ByteBuffer.wrap(content(LIMIT)))
                        .append(0, null, ByteBuffer.allocate(unpacked - LIMIT))
                        .build();
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (RecordReader reader = new RecordReader(2 * unpacked)) {
            long before = threads.getCurrentThreadAllocatedBytes();

            Optional<ByteBuffer> packed =
                    Recompressor.recompress(
                            reader,
                            RecordBatch.at(bomb, 0),
                            target,
                            target.defaultLevel(),
                            LIMIT / 2);

            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            packed.ifPresent(batch -> assertThat(batch.remaining()).isLessThan(LIMIT / 2));
            assertThat(allocated).isLessThan(8L * LIMIT);
        }
    }

    @Test
    void hugeBareSnappyBlockIsRefusedBeforeAllocation() throws IOException {
        byte[] big = Snappy.compress(new byte[8 << 20]);
        byte[] liar = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07, 0, 0};

        assertThatThrownBy(() -> unpack(Compression.SNAPPY, big))
                .isInstanceOf(DecompressionLimitException.class);
        assertThatThrownBy(() -> unpack(Compression.SNAPPY, liar))
                .isInstanceOf(MalformedRecordsException.class)
                .hasMessageContaining("snappy data is broken");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void everyCutIsNoticed(Compression codec) {
        byte[] whole = packed(codec, content(3_000));
        for (int cut = 0; cut < whole.length; cut++) {
            byte[] part = Arrays.copyOf(whole, cut);
            // A frame cut to nothing holds no bytes, and one cut between snappy blocks is shorter
            // but whole.
            if (cut == 0 || (codec == Compression.SNAPPY && cut == SnappyDecoder.HEADER_BYTES)) {
                assertThat(unpack(codec, part)).isEmpty();
            } else {
                assertThatThrownBy(() -> unpack(codec, part))
                        .as("%s cut at %d", codec, cut)
                        .isInstanceOf(MalformedRecordsException.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void damageIsEitherUnreadableOrWithinTheLimit(Compression codec) {
        Seed seed = Seed.next("damageIsEitherUnreadableOrWithinTheLimit " + codec);
        byte[] good = packed(codec, content(5_000));
        try (RecordReader reader = new RecordReader(LIMIT)) {
            for (int round = 0; round < ROUNDS; round++) {
                SplittableRandom random = seed.round(round);
                byte[] damaged = good.clone();
                for (int i = random.nextInt(1, 5); i > 0; i--) {
                    damaged[random.nextInt(Math.min(damaged.length, 1 << random.nextInt(4, 14)))] =
                            (byte) random.nextInt(256);
                }
                try {
                    assertThat(reader.uncompressed(batchOf(codec, damaged)).remaining())
                            .isLessThanOrEqualTo(LIMIT);
                } catch (MalformedRecordsException | DecompressionLimitException e) {
                    assertThat(e).hasMessageNotContaining("null");
                }
            }
        }
    }

    @Test
    void readerIsUsableAfterBrokenData() {
        byte[] content = content(1_000);
        try (RecordReader reader = new RecordReader(LIMIT)) {
            for (Compression codec :
                    List.of(
                            Compression.GZIP,
                            Compression.SNAPPY,
                            Compression.LZ4,
                            Compression.ZSTD)) {
                byte[] good = packed(codec, content);
                RecordBatch cut = batchOf(codec, Arrays.copyOf(good, good.length - 9));

                assertThatThrownBy(() -> reader.uncompressed(cut))
                        .isInstanceOf(MalformedRecordsException.class);

                assertThat(reader.uncompressed(batchOf(codec, good)))
                        .isEqualTo(ByteBuffer.wrap(content));
            }
        }
    }

    private static byte[] content(int size) {
        byte[] content = new byte[size];
        byte[] pattern =
                "the quick brown fox jumps over the lazy dog 0123456789"
                        .getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < size; i++) {
            content[i] = (byte) (pattern[i % pattern.length] + (i / 4096));
        }
        return content;
    }

    private static byte[] packed(Compression codec, byte[] content) {
        GrowableBytes target = new GrowableBytes(0, 64);
        Encoder.encode(target, codec, codec.defaultLevel(), content, 0, content.length);
        return Arrays.copyOf(target.array(), target.size());
    }

    private static byte[] concatenated(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private static byte[] unpack(Compression codec, byte[] packed) {
        try (RecordReader reader = new RecordReader(4 * LIMIT)) {
            byte[] fromHeap = KafkaRecords.array(reader.uncompressed(batchOf(codec, packed)));
            ByteBuffer direct = CodecDifferentialTest.direct(batchOf(codec, packed).bytes());
            assertThat(KafkaRecords.array(reader.uncompressed(RecordBatch.at(direct, 0))))
                    .isEqualTo(fromHeap);
            return fromHeap;
        }
    }

    private static RecordBatch batchOf(Compression codec, byte[] packed) {
        ByteBuffer empty = new BatchBuilder().build();
        ByteBuffer batch =
                ByteBuffer.allocate(empty.remaining() + packed.length)
                        .put(empty)
                        .put(packed)
                        .flip();
        batch.putInt(RecordBatch.LENGTH, batch.limit() - RecordBatch.LENGTH_PREFIX_BYTES);
        batch.putShort(RecordBatch.ATTRIBUTES, (short) codec.id());
        return RecordBatch.at(batch, 0);
    }
}
