package dev.ottla.config;

/// Why a setting cannot be taken. Secrets are hidden before they get here.
///
/// @param expectation the end of "must be …", "must …" included by the rules across keys
/// @param remedy what to do, as the end of the sentence
public record ConfigProblem(String key, String value, String expectation, String remedy) {
    /// One sentence for operators and clients.
    public String message() {
        return "%s = %s: expected %s; %s."
                .formatted(key, value.isEmpty() ? "(empty)" : value, expectation, remedy);
    }

    @Override
    public String toString() {
        return message();
    }
}
