package dev.ottla.log.segment;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/// Where the files of one segment are: `<base offset in 20 digits><suffix>` in the partition's
/// directory. Immutable.
public record SegmentName(Path directory, long baseOffset) {
    public static final String LOG = ".log";
    public static final String OFFSET_INDEX = ".index";
    public static final String TIME_INDEX = ".timeindex";
    public static final String TRANSACTION_INDEX = ".txnindex";
    public static final String SNAPSHOT = ".snapshot";

    private static final int DIGITS = 20;

    public Path file(String suffix) {
        return directory.resolve(fileName(baseOffset, suffix));
    }

    /// The name alone, for example `00000000000000000042.log`.
    public static String fileName(long offset, String suffix) {
        String digits = Long.toString(offset);
        return "0".repeat(DIGITS - digits.length()) + digits + suffix;
    }

    /// The offset in a name of this form with this suffix; empty for any other name.
    public static OptionalLong parse(String fileName, String suffix) {
        if (fileName.length() != DIGITS + suffix.length() || !fileName.endsWith(suffix)) {
            return OptionalLong.empty();
        }
        long offset = 0;
        for (int i = 0; i < DIGITS; i++) {
            int digit = fileName.charAt(i) - '0';
            if (digit < 0 || digit > 9 || offset > (Long.MAX_VALUE - digit) / 10) {
                return OptionalLong.empty();
            }
            offset = offset * 10 + digit;
        }
        return OptionalLong.of(offset);
    }

    /// The suffix of a segment's file name, if it is one.
    public static Optional<String> suffixOf(String fileName) {
        if (fileName.length() <= DIGITS) {
            return Optional.empty();
        }
        String suffix = fileName.substring(DIGITS);
        return parse(fileName, suffix).isPresent() ? Optional.of(suffix) : Optional.empty();
    }
}
