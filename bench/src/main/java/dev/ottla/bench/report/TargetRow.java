package dev.ottla.bench.report;

import java.util.Optional;

/// A figure with a target: usually a ratio, one measured figure over another of the other side.
///
/// @param denominator empty for a figure that is held against the target as it is
public record TargetRow(
        String label, Source numerator, Optional<Source> denominator, Target target) {
    /// One figure, Ottla's over Kafka's.
    public static TargetRow sideBySide(
            String label, String scenario, String figure, Target target) {
        return new TargetRow(
                label,
                new Source(Sample.OTTLA, scenario, figure),
                Optional.of(new Source(Sample.KAFKA, scenario, figure)),
                target);
    }

    /// Two figures of Ottla.
    public static TargetRow withinOttla(
            String label, String scenario, String figure, String over, Target target) {
        return new TargetRow(
                label,
                new Source(Sample.OTTLA, scenario, figure),
                Optional.of(new Source(Sample.OTTLA, scenario, over)),
                target);
    }

    /// One figure of Ottla, in its own unit.
    public static TargetRow absolute(String label, String scenario, String figure, Target target) {
        return new TargetRow(
                label, new Source(Sample.OTTLA, scenario, figure), Optional.empty(), target);
    }

    /// Where the values come from.
    public record Source(String side, String scenario, String figure) {
        boolean matches(Sample sample) {
            return sample.side().equals(side)
                    && sample.scenario().equals(scenario)
                    && sample.figure().equals(figure);
        }
    }
}
