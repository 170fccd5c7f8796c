package dev.ottla.bench.report;

import java.util.List;
import java.util.Optional;

/// Tables in Markdown.
final class Tables {
    private Tables() {}

    /// Rows with a target, those that were not measured included: they are open.
    static String targets(List<TargetRow> rows, Samples samples) {
        StringBuilder table = new StringBuilder();
        table.append("| Ottla ÷ Kafka, unless the row says otherwise | ratio | target | |\n");
        table.append("|---|---|---|---|\n");
        for (TargetRow row : rows) {
            Optional<Spread> value = value(row, samples);
            table.append("| ").append(row.label()).append(" | ");
            table.append(value.map(Spread::toString).orElse("not measured")).append(" | ");
            table.append(row.target()).append(" | ");
            table.append(value.map(v -> verdict(row.target(), v)).orElse("open")).append(" |\n");
        }
        return table.toString();
    }

    /// Every figure of a family, both sides.
    static String figures(Samples samples) {
        StringBuilder table = new StringBuilder();
        table.append("| scenario | figure | Ottla | Kafka | ratio |\n");
        table.append("|---|---|---|---|---|\n");
        for (Samples.Key key : samples.keys()) {
            Optional<Spread> ottla = samples.spread(key, Sample.OTTLA);
            Optional<Spread> kafka = samples.spread(key, Sample.KAFKA);
            table.append("| ").append(key.scenario()).append(" | ");
            table.append(key.figure()).append(" | ");
            table.append(ottla.map(Spread::toString).orElse("–")).append(" | ");
            table.append(kafka.map(Spread::toString).orElse("–")).append(" | ");
            table.append(
                            ottla.flatMap(o -> kafka.map(o::over))
                                    .map(Spread::median)
                                    .filter(Double::isFinite)
                                    .map(Spread::number)
                                    .orElse("–"))
                    .append(" |\n");
        }
        return table.toString();
    }

    /// What the machine itself can do.
    static String floors(Samples samples) {
        StringBuilder table = new StringBuilder();
        table.append("| floor of this machine | measured |\n|---|---|\n");
        for (Samples.Key key : samples.keys()) {
            table.append("| ").append(key.figure()).append(" | ");
            table.append(samples.spread(key, "machine").map(Spread::toString).orElse("–"));
            table.append(" |\n");
        }
        return table.toString();
    }

    static Optional<Spread> value(TargetRow row, Samples samples) {
        Optional<Spread> top = samples.spread(row.numerator());
        return row.denominator().isEmpty()
                ? top
                : top.flatMap(t -> row.denominator().flatMap(samples::spread).map(t::over));
    }

    private static String verdict(Target target, Spread value) {
        return target.isMet(value.median()) ? "met" : "**missed**";
    }
}
