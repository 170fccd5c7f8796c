package dev.ottla.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientPatternTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "orders-.*",
                "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
                "\\d{1,3}(\\.\\d{1,3}){3}",
                "\\p{Greek}+",
                "a{,3}",
                "{",
                "x{1000}"
            })
    void ordinaryExpressionsAreTaken(String regex) {
        assertThat(ClientPattern.compile(regex).pattern()).isEqualTo(regex);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "((a{1000}){1000}){1000}",
                "(a{2,1000}){1,1000}",
                "(a{1000,}){1000,}",
                "(a{99999999999999})",
                "(unclosed",
                "(?=ahead)a",
                "(a)\\1"
            })
    void thoseThatWouldTakeTooMuchOrAreNoneAreRefused(String regex) {
        assertThatThrownBy(() -> ClientPattern.compile(regex))
                .isInstanceOf(PatternSyntaxException.class);
    }

    @Test
    void lengthIsBounded() {
        assertThat(ClientPattern.compile("x".repeat(ClientPattern.MAX_CHARS))).isNotNull();
        assertThatThrownBy(() -> ClientPattern.compile("x".repeat(ClientPattern.MAX_CHARS + 1)))
                .isInstanceOf(PatternSyntaxException.class);
    }
}
