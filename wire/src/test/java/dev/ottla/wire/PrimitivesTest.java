package dev.ottla.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.utils.internals.ByteUtils;
import org.junit.jupiter.api.Test;

final class PrimitivesTest {
    private static final long SEED = TestSeed.next("PrimitivesTest");

    private final RandomGenerator random = TestSeed.random(SEED);

    @Test
    void varintsAreKafkas() {
        for (int i = 0; i < 20_000; i++) {
            int value = random.nextInt() >> random.nextInt(32);
            ByteBuffer theirs = ByteBuffer.allocate(10);
            ByteUtils.writeUnsignedVarint(value, theirs);
            ByteUtils.writeVarint(value, theirs);
            BufferWriter ours = new BufferWriter(ByteBuffer.allocate(10));
            ours.writeUnsignedVarint(value);
            ours.writeVarint(value);

            assertThat(ours.buffer().flip()).as("%d", value).isEqualTo(theirs.flip());
            assertThat(Sizes.unsignedVarint(value))
                    .isEqualTo(ByteUtils.sizeOfUnsignedVarint(value));
            assertThat(Sizes.varint(value)).isEqualTo(ByteUtils.sizeOfVarint(value));
            WireReader reader = new WireReader(theirs);
            assertThat(reader.readUnsignedVarint()).isEqualTo(value);
            assertThat(reader.readVarint()).isEqualTo(value);
        }
    }

    @Test
    void varlongsAreKafkas() {
        for (int i = 0; i < 20_000; i++) {
            long value = random.nextLong() >> random.nextInt(64);
            ByteBuffer theirs = ByteBuffer.allocate(10);
            ByteUtils.writeVarlong(value, theirs);
            BufferWriter ours = new BufferWriter(ByteBuffer.allocate(10));
            ours.writeVarlong(value);

            assertThat(ours.buffer().flip()).as("%d", value).isEqualTo(theirs.flip());
            assertThat(Sizes.varlong(value)).isEqualTo(theirs.limit());
            assertThat(new WireReader(theirs).readVarlong()).isEqualTo(value);
        }
    }

    @Test
    void overlongVarintsAreRefused() {
        byte[] bytes = new byte[11];
        java.util.Arrays.fill(bytes, (byte) 0xff);

        assertThatThrownBy(() -> new WireReader(ByteBuffer.wrap(bytes)).readUnsignedVarint())
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() -> new WireReader(ByteBuffer.wrap(bytes)).readVarlong())
                .isInstanceOf(WireException.class);
    }

    @Test
    void utf8IsWhatTheJdkWrites() {
        for (int i = 0; i < 5_000; i++) {
            StringBuilder text = new StringBuilder();
            int bound = List.of(0x80, 0x800, 0x10000).get(random.nextInt(3));
            for (int n = random.nextInt(20); n > 0; n--) text.append((char) random.nextInt(bound));
            byte[] expected = text.toString().getBytes(UTF_8);
            ByteBuffer actual = ByteBuffer.allocate(expected.length);
            Utf8.encode(text.toString(), actual);

            assertThat(Utf8.length(text.toString())).isEqualTo(expected.length);
            assertThat(actual.array()).isEqualTo(expected);
        }
    }

    @Test
    void idsReadAsKafkaWritesThem() {
        for (int i = 0; i < 1_000; i++) {
            Uuid ours = Uuid.random(random);
            var theirs =
                    new org.apache.kafka.common.Uuid(
                            ours.mostSignificantBits(), ours.leastSignificantBits());

            assertThat(ours).hasToString(theirs.toString());
            assertThat(Uuid.parse(theirs.toString())).isEqualTo(ours);
            assertThat(ours.isReserved()).isFalse();
            Uuid other = Uuid.random(random);
            assertThat(Integer.signum(ours.compareTo(other)))
                    .isEqualTo(
                            Integer.signum(
                                    theirs.compareTo(
                                            org.apache.kafka.common.Uuid.fromString(
                                                    other.toString()))));
        }
        assertThat(Uuid.ONE.isReserved()).isTrue();
        assertThatThrownBy(() -> Uuid.parse("short")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Uuid.parse("***")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void lengthsAreComparedWithWhatRemains() {
        ByteBuffer huge = ByteBuffer.allocate(6).putInt(0, Integer.MAX_VALUE);

        assertThatThrownBy(() -> new WireReader(huge).readArrayLength(false, false, 1))
                .isInstanceOf(WireException.class)
                .hasMessage(
                        "malformed input at byte 4: an array of 2147483647 elements, but 2 bytes"
                                + " remain");
        assertThatThrownBy(() -> new WireReader(huge).readSizedBytes(false))
                .isInstanceOf(WireException.class)
                .hasMessage("malformed input at byte 4: 2147483647 bytes expected, but 2 remain");
    }

    @Test
    void nullIsRefusedWhereTheProtocolHasNone() {
        ByteBuffer minusOne = ByteBuffer.allocate(4).putInt(0, -1);

        assertThat(new WireReader(minusOne).readNullableString(false)).isNull();
        assertThatThrownBy(() -> new WireReader(minusOne).readString(false))
                .isInstanceOf(WireException.class)
                .hasMessage("malformed input at byte 2: null where the protocol has none");
    }

    @Test
    void stringsThatCouldNotBeSentBackAreRefused() {
        byte[] noUtf8 = new byte[20_000];
        Arrays.fill(noUtf8, (byte) 0xff);

        for (ByteBuffer memory :
                List.of(ByteBuffer.allocate(20_002), ByteBuffer.allocateDirect(20_002))) {
            memory.putShort((short) noUtf8.length).put(noUtf8).flip();
            assertThatThrownBy(() -> new WireReader(memory).readString(false))
                    .isInstanceOf(WireException.class)
                    .hasMessage(
                            "malformed input at byte 20002: a string of 20000 bytes is no UTF-8");
        }
        ByteBuffer shorter =
                ByteBuffer.allocate(100).putShort((short) 98).put(noUtf8, 0, 98).flip();
        assertThat(new WireReader(shorter).readString(false)).isEqualTo("\ufffd".repeat(98));
    }

    @Test
    void stringsAreAsLongAsTheProtocolAllows() {
        String longest = "ä".repeat(WireWriter.MAX_STRING_BYTES / 2) + "x";
        BufferWriter writer = new BufferWriter(ByteBuffer.allocate(40_000));
        writer.writeString(longest, true);

        assertThat(Sizes.string(longest, true)).isEqualTo(writer.buffer().position());
        assertThat(new WireReader(writer.buffer().flip()).readString(true)).isEqualTo(longest);
        assertThatThrownBy(() -> Sizes.string(longest + "x", true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a string of 32768 bytes; the protocol allows 32767");
    }

    @Test
    void sentencesForClientsAreBounded() {
        assertThat(ErrorText.bounded("Short.")).isEqualTo("Short.");
        assertThat(ErrorText.bounded("x".repeat(40_000)))
                .hasSize(ErrorText.MAX_CHARS + 1)
                .endsWith("x…");
        String pairs = "x" + "\ud83d\ude00".repeat(2_000);
        assertThat(ErrorText.bounded(pairs)).endsWith("\ude00…");
    }

    @Test
    void unknownTaggedFieldsAreKeptUpToABound() {
        BufferWriter writer = new BufferWriter(ByteBuffer.allocate(100_000));
        int count = WireReader.MAX_KEPT_UNKNOWN_TAGGED_FIELDS + 10;
        writer.writeUnsignedVarint(count);
        for (int tag = 0; tag < count; tag++) writer.writeTaggedFieldHeader(tag, 0);
        WireReader reader = new WireReader(writer.buffer().flip());

        assertThat(reader.readTaggedFields())
                .hasSize(WireReader.MAX_KEPT_UNKNOWN_TAGGED_FIELDS)
                .startsWith(new UnknownTaggedField(0, ByteBuffer.allocate(0)));
        reader.expectEnd();
    }

    @Test
    void checksSayWhatWasWrong() {
        Check.check(true, "never %d", 1);
        assertThatThrownBy(() -> Check.check(false, "%d is past %d", 7, 5))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("7 is past 5");
        assertThatThrownBy(() -> Check.check(false, "topic %s", "t")).hasMessage("topic t");
    }
}
