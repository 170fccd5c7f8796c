package dev.ottla.bench.report;

import java.util.List;
import java.util.Locale;

/// Median, least and greatest of some values.
public record Spread(double median, double min, double max) {
    /// Of one value or more.
    public static Spread of(List<Double> values) {
        if (values.isEmpty()) throw new IllegalArgumentException("no values");
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        double median =
                sorted.size() % 2 == 1
                        ? sorted.get(middle)
                        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        return new Spread(median, sorted.getFirst(), sorted.getLast());
    }

    /// The median of this over the median of the other, with the widest bounds that the values
    /// allow.
    public Spread over(Spread other) {
        return new Spread(median / other.median, min / other.max, max / other.min);
    }

    @Override
    public String toString() {
        if (min == max) return number(median);
        return "%s (%s–%s)".formatted(number(median), number(min), number(max));
    }

    /// Three digits that count, more for large numbers.
    static String number(double value) {
        double size = Math.abs(value);
        String format = size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f";
        return String.format(Locale.ROOT, format, value);
    }
}
