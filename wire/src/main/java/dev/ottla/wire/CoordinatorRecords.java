package dev.ottla.wire;

import java.nio.ByteBuffer;

/// How keys and values of coordinator records stand in `__consumer_offsets`, `__transaction_state` and
/// `__share_group_state`. To read them: take the leading number, then ask the generated `GroupRecordType`,
/// `TransactionRecordType` or `ShareRecordType`.
///
///     key   | record type int16 | key message, version 0 |
///     value | version int16     | value message          |
public final class CoordinatorRecords {
    private CoordinatorRecords() {}

    public static ByteBuffer key(ApiMessage key) {
        return prefixed(key.apiKey(), key, (short) 0);
    }

    public static ByteBuffer value(Message value, short version) {
        return prefixed(version, value, version);
    }

    private static ByteBuffer prefixed(short prefix, Message message, short version) {
        ByteBuffer buffer = ByteBuffer.allocate(2 + message.size(version)).putShort(prefix);
        message.write(new BufferWriter(buffer), version);
        return buffer.flip();
    }
}
