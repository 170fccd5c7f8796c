package dev.ottla.config;

/// Why a setting cannot be taken. Secrets are hidden before they get here.
///
/// @param expectation what a good value looks like, as the end of "expected …"
/// @param remedy what to do, as the end of the sentence
public record ConfigProblem(String key, String value, String expectation, String remedy) {
    /// One sentence for operators and clients.
    public String message() {
        return "%s = %s: expected %s; %s."
                .formatted(key, value.isEmpty() ? "(empty)" : value, expectation, remedy);
    }

    /// The same of a name that stands for the key, such as one with a listener's prefix.
    ConfigProblem of(String name) {
        return new ConfigProblem(name, value, expectation, remedy);
    }

    @Override
    public String toString() {
        return message();
    }
}
