package dev.ottla.wire;

import com.google.errorprone.annotations.FormatMethod;
import org.jspecify.annotations.Nullable;

/// Invariants that are checked in production too. A failed check is a bug of ours, never the fault
/// of a client.
///
/// The overloads with `long` arguments keep hot paths free of boxing and array allocation.
public final class Check {
    private Check() {}

    public static void check(boolean holds, String message) {
        if (!holds) throw new IllegalStateException(message);
    }

    @FormatMethod
    public static void check(boolean holds, String format, long a) {
        if (!holds) throw new IllegalStateException(format.formatted(a));
    }

    @FormatMethod
    public static void check(boolean holds, String format, long a, long b) {
        if (!holds) throw new IllegalStateException(format.formatted(a, b));
    }

    @FormatMethod
    public static void check(boolean holds, String format, long a, long b, long c) {
        if (!holds) throw new IllegalStateException(format.formatted(a, b, c));
    }

    @FormatMethod
    public static void check(boolean holds, String format, @Nullable Object... arguments) {
        if (!holds) throw new IllegalStateException(format.formatted(arguments));
    }
}
