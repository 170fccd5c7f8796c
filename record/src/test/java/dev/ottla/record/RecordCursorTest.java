package dev.ottla.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordCursorTest {
    @Test
    void accessorsTellOfTheCurrentRecord() {
        ByteBuffer key = ByteBuffer.wrap(new byte[] {1, 2});
        List<RecordHeader> headers = List.of(new RecordHeader("h", Optional.empty()));
        ByteBuffer built =
                new BatchBuilder()
                        .baseOffset(10)
                        .producer(1, (short) 0, Integer.MAX_VALUE)
                        .append(500, key, null, headers)
                        .appendAt(14, 400, null, key, List.of())
                        .build();
        RecordCursor cursor = RecordBatch.at(built, 0).uncompressedRecords();

        assertThat(cursor.next()).isTrue();
        assertThat(cursor.offset()).isEqualTo(10);
        assertThat(cursor.timestamp()).isEqualTo(500);
        assertThat(cursor.sequence()).isEqualTo(Integer.MAX_VALUE);
        assertThat(cursor.key()).isEqualTo(key);
        assertThat(cursor.hasValue()).isFalse();
        assertThat(cursor.valueSize()).isEqualTo(-1);
        assertThat(cursor.value().remaining()).isZero();
        assertThat(cursor.headers()).isEqualTo(headers);

        assertThat(cursor.next()).isTrue();
        assertThat(cursor.offset()).isEqualTo(14);
        assertThat(cursor.offsetDelta()).isEqualTo(4);
        assertThat(cursor.timestamp()).isEqualTo(400);
        assertThat(cursor.sequence()).isEqualTo(3);
        assertThat(cursor.hasKey()).isFalse();
        assertThat(cursor.index()).isEqualTo(1);

        assertThat(cursor.next()).isFalse();
    }

    @Test
    void emptyBatchKeepsItsOffsetRange() {
        RecordBatch batch =
                RecordBatch.at(new BatchBuilder().baseOffset(7).lastOffset(9).build(), 0);

        assertThat(batch.uncompressedRecords().next()).isFalse();
        assertThat(batch.nextOffset()).isEqualTo(10);
        assertThat(batch.isCrcValid()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    -                      | ends inside a varint
                    80                     | ends inside a varint
                    ffffffffff01           | varint of more than 5 bytes
                    01                     | declares -1 bytes
                    40 00                  | declares 32 bytes, the batch has 1 left
                    00                     | ends inside a field
                    02 00                  | ends inside a varlong
                    18 00 ffffffffffffffffffff01 | varlong of more than 10 bytes
                    0c 00 00 00 03 01 00   | declares a key of -2 bytes
                    0a 00 00 00 04 01      | declares a key of 2 bytes, 1 are left
                    0a 00 00 00 01 80      | ends inside a varint
                    0c 00 00 00 01 03 00   | declares a value of -2 bytes
                    0c 00 00 00 01 01 01   | declares -1 headers
                    0e 00 00 00 01 01 04 00 | declares 2 headers in 1 bytes
                    10 00 00 00 01 01 02 01 01 | header without key
                    0e 00 00 00 01 01 00 00 | declares 1 bytes more
                    0c 00 00 00 01 01 00 00 | 1 bytes follow the last of 1 records
                    """)
    void brokenFramingIsNamed(String hex, String expected) {
        byte[] bytes = HexFormat.of().parseHex(hex.replaceAll("[- ]", ""));
        RecordBatch batch = RecordBatch.at(new BatchBuilder().append(0, null, null).build(), 0);
        RecordCursor cursor = new RecordCursor(batch, ByteBuffer.wrap(bytes));

        assertThatThrownBy(
                        () -> {
                            while (cursor.next()) {}
                        })
                .isInstanceOf(MalformedRecordsException.class)
                .hasMessageContaining(expected);
    }
}
