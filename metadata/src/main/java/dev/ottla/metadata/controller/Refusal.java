package dev.ottla.metadata.controller;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.ottla.wire.ErrorCode;

/// Carries an [ApiError] from the depth of a validation to the command, which puts it into the
/// reply; it never leaves this package.
final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    private final transient ApiError error;

    Refusal(ApiError error) {
        super(error.message(), null, false, false);
        this.error = error;
    }

    @FormatMethod
    static Refusal of(ErrorCode code, @FormatString String format, Object... arguments) {
        return new Refusal(ApiError.of(code, format, arguments));
    }

    ApiError error() {
        return error;
    }
}
