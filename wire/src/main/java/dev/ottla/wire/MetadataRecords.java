package dev.ottla.wire;

import java.nio.ByteBuffer;

/// How the value of a record stands in the metadata log. To read one: [#readHeader], then the generated
/// `MetadataRecordType`.
///
///     | frame version, 1: uvarint | record type uvarint | version uvarint | message |
public final class MetadataRecords {
    private static final int FRAME_VERSION = 1;

    private MetadataRecords() {}

    /// What stands in front of the message.
    public record Header(short apiKey, short version) {}

    public static ByteBuffer value(ApiMessage message, short version) {
        int size =
                Sizes.unsignedVarint(FRAME_VERSION)
                        + Sizes.unsignedVarint(message.apiKey())
                        + Sizes.unsignedVarint(version)
                        + message.size(version);
        BufferWriter writer = new BufferWriter(ByteBuffer.allocate(size));
        writer.writeUnsignedVarint(FRAME_VERSION);
        writer.writeUnsignedVarint(message.apiKey());
        writer.writeUnsignedVarint(version);
        message.write(writer, version);
        return writer.buffer().flip();
    }

    public static Header readHeader(WireReader reader) {
        int frameVersion = reader.readUnsignedVarint();
        if (frameVersion != FRAME_VERSION) {
            throw new WireException("a metadata record with frame version " + frameVersion);
        }
        return new Header(readNumber(reader, "record type"), readNumber(reader, "version"));
    }

    private static short readNumber(WireReader reader, String what) {
        int number = reader.readUnsignedVarint();
        if (number < 0 || number > Short.MAX_VALUE) {
            throw new WireException(
                    "a metadata record with " + what + " " + Integer.toUnsignedString(number));
        }
        return (short) number;
    }
}
