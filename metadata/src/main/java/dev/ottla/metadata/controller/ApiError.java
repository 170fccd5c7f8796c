package dev.ottla.metadata.controller;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.ErrorText;

/// The answer to one part of a command: done, or refused with a code and a sentence that names the
/// resource, what was expected and what to do.
public record ApiError(ErrorCode code, String message) {
    public static final ApiError NONE = new ApiError(ErrorCode.NONE, "");

    public ApiError {
        message = ErrorText.bounded(message);
    }

    @FormatMethod
    public static ApiError of(ErrorCode code, @FormatString String format, Object... arguments) {
        return new ApiError(code, format.formatted(arguments));
    }

    public boolean isNone() {
        return code == ErrorCode.NONE;
    }
}
