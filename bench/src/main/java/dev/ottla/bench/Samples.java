package dev.ottla.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Figures of both sides, several runs each, and their table. Owned by the main thread.
final class Samples {
    private final Map<String, Map<String, List<Double>>> values = new LinkedHashMap<>();
    private final Map<String, String> targets = new LinkedHashMap<>();

    /// Names the most that Ottla may need of what Kafka needs; shown beside the ratio.
    void target(String figure, String atMost) {
        targets.put(figure, atMost);
    }

    void add(String figure, Side side, double value) {
        values.computeIfAbsent(figure, f -> new LinkedHashMap<>())
                .computeIfAbsent(side.name(), s -> new ArrayList<>())
                .add(value);
        System.out.printf(Locale.ROOT, "  %-6s %-44s %10.3f%n", side.name(), figure, value);
    }

    String table() {
        StringBuilder table = new StringBuilder();
        table.append(
                "| figure | Ottla median (min–max) | Kafka median (min–max) | ratio | target |\n");
        table.append("|---|---|---|---|---|\n");
        values.forEach((figure, sides) -> {
            List<Double> ottla = sides.getOrDefault("Ottla", List.of());
            List<Double> kafka = sides.getOrDefault("Kafka", List.of());
            if (ottla.isEmpty() || kafka.isEmpty()) return;
            table.append(
                    String.format(
                            Locale.ROOT,
                            "| %s | %s | %s | %.2f | %s |%n",
                            figure,
                            spread(ottla),
                            spread(kafka),
                            median(ottla) / median(kafka),
                            targets.getOrDefault(figure, "")));
        });
        return table.toString();
    }

    private static String spread(List<Double> runs) {
        return String.format(
                Locale.ROOT,
                "%.2f (%.2f–%.2f)",
                median(runs),
                Collections.min(runs),
                Collections.max(runs));
    }

    private static double median(List<Double> runs) {
        List<Double> sorted = runs.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(middle)
                : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
