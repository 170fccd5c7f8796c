package dev.ottla.chaos.report;

import dev.ottla.chaos.check.Findings;
import dev.ottla.chaos.fault.FaultClass;
import dev.ottla.chaos.fault.Schedule;
import dev.ottla.chaos.history.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What a run has shown. Immutable.
///
/// @param text one line
public record Verdict(Outcome outcome, String text) {
    private static final long LEAST_RATE = 2_000;

    public enum Outcome {
        PASS(0),
        ANOMALY(1),

        /// Nothing was found, and too little was tried.
        VOID(2);

        private final int exitCode;

        Outcome(int exitCode) {
            this.exitCode = exitCode;
        }

        public int exitCode() {
            return exitCode;
        }
    }

    public static Verdict of(Totals totals, Findings findings) {
        String figures =
                String.format(
                        Locale.ROOT,
                        "%,d acknowledged records (%,d a second outside faults), %d faults of %d kinds in %d s",
                        totals.acknowledged(),
                        totals.quietRate(),
                        totals.played(),
                        kinds(totals).size(),
                        totals.loadMs() / 1_000);
        if (findings.count() > 0) {
            String found =
                    new TreeMap<>(findings.counts())
                            .entrySet().stream()
                                    .map(Verdict::counted)
                                    .collect(Collectors.joining(", "));
            return new Verdict(Outcome.ANOMALY, "ANOMALY: " + found + "; " + figures);
        }
        List<String> missing = missing(totals);
        return missing.isEmpty()
                ? new Verdict(Outcome.PASS, "PASS: " + figures + ", no anomaly")
                : new Verdict(Outcome.VOID, "VOID: " + String.join(", ", missing) + "; " + figures);
    }

    private static String counted(Map.Entry<dev.ottla.chaos.check.Anomaly.Kind, Integer> entry) {
        return entry.getKey().title().toLowerCase(Locale.ROOT) + " (" + entry.getValue() + ")";
    }

    private static Set<String> kinds(Totals totals) {
        return totals.faults().stream()
                .filter(Totals.PlayedFault::done)
                .map(Totals.PlayedFault::kind)
                .collect(Collectors.toSet());
    }

    private static List<String> missing(Totals totals) {
        List<String> missing = new ArrayList<>();
        Event.Run run = totals.run().orElse(new Event.Run(0, 0, 0, List.of(), 0, ""));
        if (run.faults().isEmpty()) {
            return totals.played() > 0 && totals.healingMs().isPresent()
                    ? List.of()
                    : List.of("it did not come to its end"); // of a scenario
        }
        int required = Schedule.required(Duration.ofSeconds(run.seconds()));
        if (totals.played() < required) {
            missing.add("only %d faults of %d".formatted(totals.played(), required));
        }
        if (totals.quietRate() < LEAST_RATE) {
            missing.add(
                    "only %d records a second outside faults, of %d"
                            .formatted(totals.quietRate(), LEAST_RATE));
        }
        if (totals.healingMs().isEmpty()) {
            missing.add("it did not come to its end");
        }
        needs(missing, totals, FaultClass.KILL, "CONTROLLER_KILLED");
        needs(missing, totals, FaultClass.MEMBERSHIP, "REASSIGNMENT_TARGET_KILLED");
        if (run.faults().contains(FaultClass.KILL.word()) && !hasQuickRestart(totals)) {
            missing.add("no node was started again within 300 ms");
        }
        return missing;
    }

    private static void needs(
            List<String> missing, Totals totals, FaultClass faultClass, String kind) {
        boolean asked =
                totals.run().map(run -> run.faults().contains(faultClass.word())).orElse(false);
        if (asked && !kinds(totals).contains(kind)) {
            missing.add("no " + kind);
        }
    }

    private static boolean hasQuickRestart(Totals totals) {
        return totals.faults().stream()
                .anyMatch(fault ->
                        fault.done()
                                && fault.kind().endsWith("RESTARTED_AT_ONCE")
                                && fault.detail()
                                        .matches(".*started again after [12]?\\d{1,2} ms.*"));
    }
}
