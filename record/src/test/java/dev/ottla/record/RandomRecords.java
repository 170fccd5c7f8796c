package dev.ottla.record;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/// Random records with every shape the format allows: null and empty fields, headers, timestamps
/// out of order.
final class RandomRecords {
    private static final String[] HEADER_KEYS = {
        "", "trace", "Überschrift", "\uD83D\uDE00", "a-rather-long-header-name"
    };

    private RandomRecords() {}

    static List<LogRecord> consecutive(SplittableRandom random, int count, int maxFieldBytes) {
        long timestamp = random.nextInt(10) == 0 ? random.nextLong(1000) : 1_700_000_000_000L;
        List<LogRecord> records = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            timestamp += random.nextInt(-50, 100);
            records.add(
                    new LogRecord(
                            i,
                            Math.max(timestamp, 0),
                            field(random, maxFieldBytes),
                            field(random, maxFieldBytes),
                            headers(random, maxFieldBytes)));
        }
        return records;
    }

    static Optional<ByteBuffer> field(SplittableRandom random, int maxBytes) {
        return switch (random.nextInt(6)) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(ByteBuffer.allocate(0));
            default -> Optional.of(bytes(random, random.nextInt(maxBytes + 1)));
        };
    }

    /// Half noise, half repetition, so that codecs find something to do.
    static ByteBuffer bytes(SplittableRandom random, int size) {
        byte[] bytes = new byte[size];
        if (random.nextBoolean()) {
            random.nextBytes(bytes);
        } else {
            byte[] pattern = "{\"customer\":42,\"city\":\"Łódź\"}".getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < size; i++) {
                bytes[i] = pattern[i % pattern.length];
            }
        }
        return ByteBuffer.wrap(bytes);
    }

    private static List<RecordHeader> headers(SplittableRandom random, int maxFieldBytes) {
        int count = random.nextInt(3) == 0 ? random.nextInt(1, 4) : 0;
        List<RecordHeader> headers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String key = HEADER_KEYS[random.nextInt(HEADER_KEYS.length)];
            headers.add(new RecordHeader(key, field(random, maxFieldBytes)));
        }
        return headers;
    }
}
