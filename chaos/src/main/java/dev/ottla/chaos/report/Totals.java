package dev.ottla.chaos.report;

import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.Line;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Figures of a history, which it is given line by line. Owned by one thread.
public final class Totals {
    /// Shorter ones are the writers' own.
    private static final long LEAST_GAP_MS = 500;

    private final List<PlayedFault> faults = new ArrayList<>();
    private final Map<Integer, Line> begun = new HashMap<>();
    private final Map<String, Long> lastAcknowledged = new HashMap<>();
    private final Map<String, Long> longestGaps = new TreeMap<>();
    private final List<Long> acknowledgedInSecond = new ArrayList<>();
    private final List<Long> failedInSecond = new ArrayList<>();

    private Optional<Event.Run> run = Optional.empty();
    private boolean given;
    private long acknowledged;
    private long read;
    private long quietRecords;
    private long quietMs;
    private long quietSinceMs = -1;
    private long loadBeganMs = -1;
    private long loadEndedMs = -1;
    private long healedMs = -1;

    /// A fault of the history. Times are milliseconds since the run began.
    record PlayedFault(
            int number,
            String kind,
            List<Integer> nodes,
            long beganMs,
            long endedMs,
            boolean done,
            String detail) {}

    public void accept(Line line) {
        switch (line.event()) {
            case Event.Run event -> run = Optional.of(event);
            case Event.Given _ -> given = true;
            case Event.LoadBegan _ -> {
                quietSinceMs = line.atMs();
                loadBeganMs = line.atMs();
            }
            case Event.LoadEnded _ -> {
                endQuiet(line.atMs());
                loadEndedMs = line.atMs();
            }
            case Event.Healed _ -> healedMs = line.atMs();
            case Event.Acknowledged event -> onAcknowledged(line.atMs(), event);
            case Event.Unanswered event -> count(failedInSecond, line.atMs(), event.count());
            case Event.Refused event -> count(failedInSecond, line.atMs(), event.count());
            case Event.Read event -> event.values().forEach(values -> read += values.count());
            case Event.FaultBegan event -> {
                endQuiet(line.atMs());
                begun.put(event.number(), line);
            }
            case Event.FaultEnded event -> {
                onFaultEnded(line.atMs(), event);
                if (loadEndedMs < 0) {
                    quietSinceMs = line.atMs();
                }
            }
            default -> {}
        }
    }

    private void endQuiet(long atMs) {
        if (quietSinceMs >= 0) {
            quietMs += atMs - quietSinceMs;
            quietSinceMs = -1;
        }
    }

    private void onFaultEnded(long atMs, Event.FaultEnded event) {
        Line line = begun.remove(event.number());
        if (line != null && line.event() instanceof Event.FaultBegan began) {
            String detail = (began.detail() + " " + event.detail()).strip();
            faults.add(
                    new PlayedFault(
                            event.number(),
                            began.kind(),
                            began.nodes(),
                            line.atMs(),
                            atMs,
                            event.done(),
                            detail));
        }
    }

    private void onAcknowledged(long atMs, Event.Acknowledged event) {
        acknowledged += event.count();
        count(acknowledgedInSecond, atMs, event.count());
        if (quietSinceMs >= 0) {
            quietRecords += event.count();
        }
        Long before = lastAcknowledged.put(event.partition(), atMs);
        if (before != null && atMs - before >= LEAST_GAP_MS) {
            kindOfGap(before, atMs)
                    .ifPresent(kind -> longestGaps.merge(kind, atMs - before, Math::max));
        }
    }

    /// The fault that began last of those that were there in that time.
    private Optional<String> kindOfGap(long fromMs, long toMs) {
        Optional<String> active =
                begun.values().stream()
                        .filter(line -> line.atMs() <= toMs)
                        .flatMap(line ->
                                line.event() instanceof Event.FaultBegan began
                                        ? java.util.stream.Stream.of(began.kind())
                                        : java.util.stream.Stream.empty())
                        .findFirst();
        if (active.isPresent() || faults.isEmpty()) {
            return active;
        }
        PlayedFault last = faults.getLast();
        return last.endedMs() >= fromMs ? Optional.of(last.kind()) : Optional.empty();
    }

    private static void count(List<Long> perSecond, long atMs, int records) {
        int second = (int) (atMs / 1_000);
        while (perSecond.size() <= second) {
            perSecond.add(0L);
        }
        perSecond.set(second, perSecond.get(second) + records);
    }

    Optional<Event.Run> run() {
        return run;
    }

    /// Whether the cluster was there before.
    boolean isGiven() {
        return given;
    }

    long acknowledged() {
        return acknowledged;
    }

    long read() {
        return read;
    }

    /// Acknowledged records a second while no fault was there.
    long quietRate() {
        return quietMs == 0 ? 0 : quietRecords * 1_000 / quietMs;
    }

    List<PlayedFault> faults() {
        return List.copyOf(faults);
    }

    long played() {
        return faults.stream().filter(PlayedFault::done).count();
    }

    /// Longest time in which a partition took no write, by the kind of fault.
    Map<String, Long> longestGapsMs() {
        return longestGaps;
    }

    List<Long> acknowledgedInSecond() {
        return List.copyOf(acknowledgedInSecond);
    }

    List<Long> failedInSecond() {
        return List.copyOf(failedInSecond);
    }

    long failed() {
        return failedInSecond.stream().mapToLong(Long::longValue).sum();
    }

    /// How long faults came while it was written; 0 when that did not come to its end.
    long loadMs() {
        return loadBeganMs < 0 || loadEndedMs < 0 ? 0 : loadEndedMs - loadBeganMs;
    }

    /// From the end of the load until all was in sync and answered; empty when it never was.
    Optional<Long> healingMs() {
        return healedMs < 0 || loadEndedMs < 0
                ? Optional.empty()
                : Optional.of(healedMs - loadEndedMs);
    }
}
