package dev.ottla.chaos.history;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/// Values of one writer with consecutive numbers. Each value is written once, so a writer and a
/// number name a record. As text `WRITER.NUMBER` or, when there are several, `WRITER.NUMBER+COUNT`.
public record Span(int writer, long number, int count) {
    public Span {
        if (writer < 0 || number < 0 || count < 1) {
            throw new IllegalArgumentException(
                    "no values: writer %d, number %d, count %d".formatted(writer, number, count));
        }
    }

    @JsonCreator
    public static Span parse(String text) {
        int dot = text.indexOf('.');
        int plus = text.indexOf('+');
        try {
            int writer = Integer.parseInt(text.substring(0, dot));
            String number = text.substring(dot + 1, plus < 0 ? text.length() : plus);
            int count = plus < 0 ? 1 : Integer.parseInt(text.substring(plus + 1));
            return new Span(writer, Long.parseLong(number), count);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "no values: '" + text + "', expected WRITER.NUMBER+COUNT", e);
        }
    }

    @JsonValue
    @Override
    public String toString() {
        return count == 1 ? writer + "." + number : writer + "." + number + "+" + count;
    }
}
