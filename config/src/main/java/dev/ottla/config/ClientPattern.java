package dev.ottla.config;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/// Regular expressions that clients send: in RE2 syntax, because RE2/J matches in a time that is
/// proportional to the text, and of bounded size, because RE2/J unrolls `x{1000}`, and repeats that
/// are nested multiply.
public final class ClientPattern {
    /// Enough for a long list of names.
    public static final int MAX_CHARS = 4096;

    /// Bounds the length times all repeats, which the unrolled expression cannot exceed.
    private static final long MAX_UNROLLED = 1_000_000;

    private ClientPattern() {}

    /// Compiles `regex`, or throws PatternSyntaxException with what is wrong with it.
    public static Pattern compile(String regex) {
        if (regex.length() > MAX_CHARS) {
            throw new PatternSyntaxException(
                    "it is longer than " + MAX_CHARS + " characters", regex);
        }
        if (unrolled(regex) > MAX_UNROLLED) {
            throw new PatternSyntaxException("its repeats multiply to too large a size", regex);
        }
        return Pattern.compile(regex);
    }

    private static long unrolled(String regex) {
        long size = regex.length();
        for (int at = regex.indexOf('{'); at >= 0; at = regex.indexOf('{', at + 1)) {
            size *= Math.max(1, repeats(regex, at + 1));
            if (size > MAX_UNROLLED) {
                return size;
            }
        }
        return size;
    }

    /// The larger number of `{n}`, `{n,}` or `{n,m}`; 0 when the brace begins something else. What
    /// RE2/J takes for text counts too: the bound may be too careful, but not too lax.
    private static int repeats(String regex, int from) {
        int largest = 0;
        int number = 0;
        for (int i = from; i < regex.length(); i++) {
            char c = regex.charAt(i);
            if (c >= '0' && c <= '9') {
                number = Math.min(10 * number + (c - '0'), 1_000_000);
            } else if (c == ',') {
                largest = Math.max(largest, number);
                number = 0;
            } else {
                return c == '}' ? Math.max(largest, number) : 0;
            }
        }
        return 0;
    }
}
