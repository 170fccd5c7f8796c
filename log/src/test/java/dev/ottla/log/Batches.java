package dev.ottla.log;

import dev.ottla.record.BatchBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Small batches for tests.
public final class Batches {
    private Batches() {}

    public static ByteBuffer of(long timestampMs, String... values) {
        return of(new BatchBuilder(), timestampMs, values);
    }

    public static ByteBuffer of(BatchBuilder builder, long timestampMs, String... values) {
        for (String value : values) {
            builder.append(
                    timestampMs, null, ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)));
        }
        return builder.build();
    }
}
