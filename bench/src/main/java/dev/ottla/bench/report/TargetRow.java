package dev.ottla.bench.report;

/// A ratio with a target: one measured figure over another, usually of the other side.
public record TargetRow(String label, Source numerator, Source denominator, Target target) {
    private static final String OTTLA = "Ottla";
    private static final String KAFKA = "Kafka";

    /// One figure, Ottla's over Kafka's.
    public static TargetRow sideBySide(
            String label, String scenario, String figure, Target target) {
        return new TargetRow(
                label,
                new Source(OTTLA, scenario, figure),
                new Source(KAFKA, scenario, figure),
                target);
    }

    /// Two figures of Ottla.
    public static TargetRow withinOttla(
            String label, String scenario, String figure, String over, Target target) {
        return new TargetRow(
                label,
                new Source(OTTLA, scenario, figure),
                new Source(OTTLA, scenario, over),
                target);
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
