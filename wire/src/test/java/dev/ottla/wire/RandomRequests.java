package dev.ottla.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Makes random messages fit a version: what it cannot carry stays at the default from then on.
final class RandomRequests {
    private static final Pattern CANNOT_CARRY =
            Pattern.compile("(\\S+) version \\d+ cannot carry a value of (\\w+)");

    private RandomRequests() {}

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
