package dev.ottla.bench.report;

/// One measured value.
///
/// @param scenario name of the scenario that measured it
/// @param figure what was measured, with its unit at the end
/// @param side `Ottla`, `Kafka` or, for floors, `machine`
/// @param round number of the repetition, from 1
public record Sample(String scenario, String figure, String side, int round, double value) {
    /// Names of the sides.
    public static final String OTTLA = "Ottla";

    public static final String KAFKA = "Kafka";
}
