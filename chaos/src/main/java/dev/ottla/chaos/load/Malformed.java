package dev.ottla.chaos.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/// What no client of the protocol sends.
public enum Malformed {
    NEGATIVE_LENGTH {
        @Override
        byte[] bytes(Random random) {
            return withLength(-1 - random.nextInt(Integer.MAX_VALUE), noise(random));
        }
    },
    HUGE_LENGTH {
        @Override
        byte[] bytes(Random random) {
            return withLength(Integer.MAX_VALUE - random.nextInt(1 << 30), noise(random));
        }
    },
    NOISE_IN_A_FRAME {
        @Override
        byte[] bytes(Random random) {
            byte[] noise = noise(random);
            return withLength(noise.length, noise);
        }
    },
    NOISE_BEHIND_A_HEADER {
        @Override
        byte[] bytes(Random random) {
            return request(random.nextInt(API_KEYS), random.nextInt(4), noise(random));
        }
    },
    UNKNOWN_API_KEY {
        @Override
        byte[] bytes(Random random) {
            return request(API_KEYS + 1_000 + random.nextInt(30_000), 0, noise(random));
        }
    },
    UNKNOWN_VERSION {
        @Override
        byte[] bytes(Random random) {
            // Of ApiVersions it would be answered with what is known.
            return request(random.nextInt(4), 1_000 + random.nextInt(30_000), noise(random));
        }
    },
    HALF_A_FRAME {
        @Override
        byte[] bytes(Random random) {
            byte[] whole = request(random.nextInt(API_KEYS), 0, noise(random));
            return Arrays.copyOf(whole, 1 + random.nextInt(whole.length - 1));
        }
    };

    private static final int API_KEYS = 60;
    private static final int MOST_NOISE = 300;

    abstract byte[] bytes(Random random);

    /// Whether there is more to come, for all that a broker can know.
    boolean isUnfinished() {
        return this == HALF_A_FRAME;
    }

    private static byte[] noise(Random random) {
        byte[] bytes = new byte[1 + random.nextInt(MOST_NOISE)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] request(int apiKey, int version, byte[] body) {
        byte[] client = "noise".getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(10 + client.length + body.length);
        frame.putShort((short) apiKey).putShort((short) version).putInt(7);
        frame.putShort((short) client.length).put(client).put(body);
        return withLength(frame.capacity(), frame.array());
    }

    private static byte[] withLength(int length, byte[] bytes) {
        return ByteBuffer.allocate(4 + bytes.length).putInt(length).put(bytes).array();
    }
}
