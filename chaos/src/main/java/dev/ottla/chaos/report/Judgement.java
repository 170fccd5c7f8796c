package dev.ottla.chaos.report;

import dev.ottla.chaos.check.Anomaly;
import dev.ottla.chaos.check.Checker;
import dev.ottla.chaos.check.Findings;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.HistoryFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A history that was read and judged. Immutable.
public final class Judgement {
    /// What was not looked at.
    static final String NO_FILES =
            "The cluster was there before: files of its replicas were not looked at, and what a reader was given from beginning to end stands in their place.";

    private static final int ANOMALIES_SHOWN = 10;

    private final Path history;
    private final Totals totals;
    private final Findings findings;
    private final Verdict verdict;

    private Judgement(Path history, Totals totals, Findings findings) {
        this.history = history;
        this.totals = totals;
        this.findings = findings;
        verdict = Verdict.of(totals, findings);
    }

    public static Judgement of(Path history) throws IOException {
        Checker checker = new Checker();
        Totals totals = new Totals();
        HistoryFile.read(
                history,
                line -> {
                    totals.accept(line);
                    checker.accept(line);
                });
        return new Judgement(history, totals, checker.finish());
    }

    public Verdict verdict() {
        return verdict;
    }

    public Findings findings() {
        return findings;
    }

    /// Lines for the terminal.
    public List<String> details() {
        List<String> lines = new ArrayList<>();
        lines.add("Longest time without a write to a partition, by kind of fault:");
        totals.longestGapsMs()
                .forEach((kind, ms) ->
                        lines.add(String.format(Locale.ROOT, "  %-32s %6d ms", kind, ms)));
        totals.healingMs()
                .ifPresent(ms ->
                        lines.add(
                                "All in sync and everything answered %d ms after the load ended."
                                        .formatted(ms)));
        if (totals.isGiven()) {
            lines.add(NO_FILES);
        }
        List<Anomaly> anomalies = findings.kept();
        anomalies.stream()
                .limit(ANOMALIES_SHOWN)
                .forEach(
                        anomaly -> lines.add(anomaly.kind() + ": " + anomaly.text() + at(anomaly)));
        if (findings.count() > ANOMALIES_SHOWN) {
            lines.add("%d more are in the report".formatted(findings.count() - ANOMALIES_SHOWN));
        }
        return lines;
    }

    private static String at(Anomaly anomaly) {
        return anomaly.lines().isEmpty() ? "" : " (line " + anomaly.lines().getFirst() + ")";
    }

    /// Writes the page.
    public void writeReport(Path file) throws IOException {
        List<Evidence> evidence = Evidence.of(history, findings.kept());
        Files.writeString(
                file, new HtmlReport(totals, findings, evidence, verdict).page(repeat(), history));
    }

    /// The command that repeats the run; empty when the history does not name it.
    public String repeat() {
        return totals.run().map(Event.Run::by).orElse("");
    }
}
