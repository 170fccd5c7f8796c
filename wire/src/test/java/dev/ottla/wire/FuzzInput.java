package dev.ottla.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.wire.message.ApiKey;
import java.nio.ByteBuffer;
import java.util.Optional;

/// What the fuzzer and the kept corpus feed to a request decoder:
///
///     | API key int8 | version int8, counted from the oldest | request |
record FuzzInput(ApiKey key, short version, ByteBuffer request) {

    static Optional<FuzzInput> parse(byte[] input) {
        if (input.length < 2) return Optional.empty();
        return ApiKey.forId(input[0])
                .map(key -> {
                    int versions = key.latestVersion() - key.oldestVersion() + 1;
                    int version = key.oldestVersion() + (input[1] & 0xff) % versions;
                    ByteBuffer request = ByteBuffer.wrap(input, 2, input.length - 2);
                    return new FuzzInput(key, (short) version, request);
                });
    }

    byte[] toBytes() {
        byte[] bytes = new byte[2 + request.remaining()];
        bytes[0] = (byte) key.id();
        bytes[1] = (byte) (version - key.oldestVersion());
        request.get(request.position(), bytes, 2, request.remaining());
        return bytes;
    }

    /// Reads the request, or finds that it is malformed. What could be read has to survive writing
    /// and reading.
    void decode() {
        Message read;
        try {
            read = key.readRequest(new WireReader(request), version);
        } catch (WireException e) {
            return;
        }
        Message again = key.readRequest(new WireReader(read.toBuffer(version)), version);
        assertThat(again).isEqualTo(read);
    }
}
