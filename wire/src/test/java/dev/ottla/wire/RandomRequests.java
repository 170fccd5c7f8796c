package dev.ottla.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.wire.message.ApiKey;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Makes random messages fit a version: what it cannot carry stays at the default from then on.
public final class RandomRequests {
    private static final Pattern CANNOT_CARRY =
            Pattern.compile("(\\S+) version \\d+ cannot carry a value of (\\w+)");

    private RandomRequests() {}

    /// Random requests of an API, as the messages that they are on the wire in that version.
    public static Supplier<ByteBuffer> of(ApiKey key, short version, RandomGenerator random) {
        RandomValues values = values(key, random);
        return () -> next(values, version);
    }

    static RandomValues values(ApiKey key, RandomGenerator random) {
        try {
            return new RandomValues(
                    random,
                    Class.forName("dev.ottla.wire.message." + key.title() + "Request"),
                    Class.forName(
                            "org.apache.kafka.common.message." + key.title() + "RequestData"));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The bytes of a random message in the version.
    static ByteBuffer next(RandomValues values, short version) {
        while (true) {
            try {
                return values.next().toBuffer(version);
            } catch (UnsupportedVersionException e) {
                ban(e, values);
            } catch (NullPointerException e) {
                values.banNulls();
            }
        }
    }

    static void ban(UnsupportedVersionException refusal, RandomValues values) {
        Matcher matcher = CANNOT_CARRY.matcher(String.valueOf(refusal.getMessage()));
        assertThat(matcher.matches()).as("%s", refusal.getMessage()).isTrue();
        assertThat(values.ban(matcher.group(1) + "." + matcher.group(2))).isTrue();
    }
}
