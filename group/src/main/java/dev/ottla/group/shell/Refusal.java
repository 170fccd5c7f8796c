package dev.ottla.group.shell;

import com.google.errorprone.annotations.FormatMethod;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.ErrorText;

/// Why a request was not carried out: Kafka's error code and a sentence that names the resource,
/// what was expected and what to do about it.
public record Refusal(ErrorCode error, String message) {
    public Refusal {
        if (error == ErrorCode.NONE) throw new IllegalArgumentException("NONE refuses nothing");
        message = ErrorText.bounded(message);
    }

    @FormatMethod
    public static Refusal of(ErrorCode error, String format, Object... arguments) {
        return new Refusal(error, format.formatted(arguments));
    }
}
