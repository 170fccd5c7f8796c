package dev.ottla.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.apache.kafka.common.message.LeaderChangeMessage;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ControlRecordsTest {
    private static final long TIME_MS = 1_700_000_000_123L;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void endOfTransactionIsByteForByteKafkas(boolean commit) {
        ByteBuffer ours =
                ControlRecords.endTransactionBatch(
                        new EndTransactionMarker(commit, 17), 4711, (short) 3, TIME_MS);

        ByteBuffer theirs =
                MemoryRecords.withEndTransactionMarker(
                                0,
                                TIME_MS,
                                -1,
                                4711,
                                (short) 3,
                                new org.apache.kafka.common.record.internal.EndTransactionMarker(
                                        commit ? ControlRecordType.COMMIT : ControlRecordType.ABORT,
                                        17))
                        .buffer();
        assertThat(ours).isEqualTo(theirs);
        assertThat(ControlRecords.endTransactionMarker(RecordBatch.at(theirs, 0)))
                .isEqualTo(new EndTransactionMarker(commit, 17));
    }

    @Test
    void leaderChangeIsByteForByteKafkas() {
        LeaderChangeMessage message =
                new LeaderChangeMessage().setVersion((short) 0).setLeaderId(7);
        ByteBuffer value = MessageUtil.toByteBufferAccessor(message, (short) 0).buffer();

        ByteBuffer ours = ControlRecords.batch(ControlType.LEADER_CHANGE, value, TIME_MS);
        RecordBatch.at(ours, 0).assignOffsets(0, 5);

        ByteBuffer theirs =
                MemoryRecords.withLeaderChangeMessage(
                                0, TIME_MS, 5, ByteBuffer.allocate(256), message)
                        .buffer();
        assertThat(ours).isEqualTo(theirs);
        assertThat(ControlRecords.typeOf(RecordBatch.at(theirs, 0)))
                .isEqualTo(ControlType.LEADER_CHANGE);
    }

    @ParameterizedTest
    @EnumSource(ControlRecordType.class)
    void everyTypeHasKafkasNumber(ControlRecordType type) {
        assertThat(ControlType.valueOf(type.name()).id()).isEqualTo(type.type());
        assertThat(Stream.of(ControlType.values())).hasSameSizeAs(ControlRecordType.values());
    }

    @Test
    void typesFromTheFutureAreUnknown() {
        ByteBuffer key =
                ByteBuffer.allocate(6)
                        .putShort((short) 1)
                        .putShort((short) 99)
                        .putShort((short) 0)
                        .flip();

        assertThat(ControlRecords.parseKey(key)).isEqualTo(ControlType.UNKNOWN);
    }

    @Test
    void shortKeysAndValuesAreRefused() {
        RecordBatch noValue =
                RecordBatch.at(
                        ControlRecords.batch(ControlType.COMMIT, ByteBuffer.allocate(2), 0), 0);

        assertThatThrownBy(() -> ControlRecords.parseKey(ByteBuffer.allocate(3)))
                .isInstanceOf(MalformedRecordsException.class)
                .hasMessageContaining("3 bytes");
        assertThatThrownBy(() -> ControlRecords.endTransactionMarker(noValue))
                .isInstanceOf(MalformedRecordsException.class)
                .hasMessageContaining("2 bytes");
    }
}
