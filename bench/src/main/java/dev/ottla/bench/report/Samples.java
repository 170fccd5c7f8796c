package dev.ottla.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Measured values, in the order in which they came. Owned by the main thread.
public final class Samples {
    private final List<Sample> samples = new ArrayList<>();
    private final List<Series> series = new ArrayList<>();

    public void add(Sample sample) {
        samples.add(sample);
    }

    /// Adds what was taken once a second; it becomes a picture, not a row.
    public void add(Series perSecond) {
        series.add(perSecond);
    }

    /// The series of a scenario.
    List<Series> series(String scenario) {
        return series.stream().filter(each -> each.scenario().equals(scenario)).toList();
    }

    /// Scenarios that have series, each once.
    List<String> scenariosWithSeries() {
        return series.stream().map(Series::scenario).distinct().toList();
    }

    public List<Sample> all() {
        return List.copyOf(samples);
    }

    /// Puts what a new run measured in place of what an earlier one did, by scenario and side.
    public void replace(Samples newer) {
        Set<List<String>> repeated =
                newer.samples.stream().map(Samples::origin).collect(Collectors.toSet());
        samples.removeIf(sample -> repeated.contains(origin(sample)));
        samples.addAll(newer.samples);
    }

    private static List<String> origin(Sample sample) {
        return List.of(sample.scenario(), sample.side());
    }

    /// The spread of one figure of one side, if it was measured.
    public Optional<Spread> spread(TargetRow.Source source) {
        return spread(source::matches);
    }

    /// Scenario and figure of everything that was measured, each once, in order.
    public List<Key> keys() {
        return samples.stream()
                .map(sample -> new Key(sample.scenario(), sample.figure()))
                .distinct()
                .toList();
    }

    public Optional<Spread> spread(Key key, String side) {
        return spread(new TargetRow.Source(side, key.scenario(), key.figure()));
    }

    private Optional<Spread> spread(Predicate<Sample> wanted) {
        List<Double> values = samples.stream().filter(wanted).map(Sample::value).toList();
        return values.isEmpty() ? Optional.empty() : Optional.of(Spread.of(values));
    }

    /// What a row of a table is about.
    public record Key(String scenario, String figure) {}
}
