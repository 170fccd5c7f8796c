package dev.ottla.chaos.history;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;

/// What a record's value says: who wrote it and the how-manieth it is of its writer. In a record it
/// is the text `WRITER.NUMBER`.
public record RecordValue(int writer, long number) {
    public byte[] bytes() {
        return (writer + "." + number).getBytes(US_ASCII);
    }

    /// Throws [IllegalArgumentException] when the bytes are no value of a run.
    public static RecordValue read(ByteBuffer bytes) {
        Span span = Span.parse(US_ASCII.decode(bytes.duplicate()).toString());
        return new RecordValue(span.writer(), span.number());
    }
}
