package dev.ottla.testkit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Waits for a condition with a deadline; never for a time alone.
public final class Await {
    /// Long enough for a loaded machine with two cores; a case that waits this long has failed.
    public static final Duration DEADLINE = Duration.ofSeconds(45);

    private static final long PAUSE_NS = 20_000_000;

    private Await() {}

    /// Returns when the condition holds; an exception of the condition counts as "not yet" and ends
    /// up as the cause.
    public static void until(String what, Callable<Boolean> condition) {
        until(what, DEADLINE, condition);
    }

    public static void until(String what, Duration deadline, Callable<Boolean> condition) {
        until(what, deadline, condition, () -> "");
    }

    public static void until(
            String what, Duration deadline, Callable<Boolean> condition, Supplier<String> state) {
        long deadlineNs = System.nanoTime() + deadline.toNanos();
        @Nullable Exception last = null;
        do {
            try {
                if (condition.call()) {
                    return;
                }
                last = null;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while waiting until " + what, e);
            } catch (Exception e) {
                last = e;
            }
            LockSupport.parkNanos(PAUSE_NS);
        } while (System.nanoTime() < deadlineNs);
        throw new AssertionError(
                "not within %d s: %s %s".formatted(deadline.toSeconds(), what, state.get()), last);
    }

    /// The first value that the supplier finds.
    public static <T> T value(String what, Callable<Optional<T>> supplier) {
        Object[] found = new Object[1];
        until(
                what,
                () -> {
                    Optional<T> value = supplier.call();
                    value.ifPresent(v -> found[0] = v);
                    return value.isPresent();
                });
        @SuppressWarnings("unchecked")
        T value = (T) found[0];
        return value;
    }
}
