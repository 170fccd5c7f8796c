package dev.ottla.chaos.report;

import dev.ottla.chaos.check.Anomaly;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.Event.Batch;
import dev.ottla.chaos.history.HistoryFile;
import dev.ottla.chaos.history.Line;
import dev.ottla.chaos.history.Span;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What a history says of the records and files that an anomaly concerns.
///
/// @param lines that concern it, in order
/// @param atMs when the first line was written that shows it; -1 when none does
record Evidence(List<String> lines, long atMs) {
    private static final int LINES_OF_AN_ANOMALY = 40;

    Evidence {
        lines = List.copyOf(lines);
    }

    /// Of each anomaly. Reads the history once more, for the check keeps no lines.
    static List<Evidence> of(Path history, List<Anomaly> anomalies) throws IOException {
        List<List<String>> evidence = new ArrayList<>();
        anomalies.forEach(_ -> evidence.add(new ArrayList<>()));
        long[] atMs = new long[anomalies.size()];
        Arrays.fill(atMs, -1);
        if (anomalies.isEmpty()) {
            return List.of();
        }
        HistoryFile.read(
                history,
                line -> {
                    for (int i = 0; i < anomalies.size(); i++) {
                        List<String> lines = evidence.get(i);
                        if (atMs[i] < 0 && anomalies.get(i).lines().contains(line.line())) {
                            atMs[i] = line.atMs();
                        }
                        if (lines.size() < LINES_OF_AN_ANOMALY
                                && concerns(line, anomalies.get(i))) {
                            lines.add(
                                    "line %d, %.3f s: %s"
                                            .formatted(
                                                    line.line(),
                                                    line.atMs() / 1_000.0,
                                                    text(line.event(), anomalies.get(i))));
                        }
                    }
                });
        List<Evidence> all = new ArrayList<>();
        for (int i = 0; i < atMs.length; i++) {
            all.add(new Evidence(evidence.get(i), atMs[i]));
        }
        return all;
    }

    private static boolean concerns(Line line, Anomaly anomaly) {
        if (anomaly.lines().contains(line.line())) {
            return true;
        }
        return switch (line.event()) {
            case Event.Sent e ->
                    e.partition().equals(anomaly.partition())
                            && names(anomaly, e.writer(), e.number(), e.count());
            case Event.Acknowledged e ->
                    e.partition().equals(anomaly.partition())
                            && (covers(anomaly, e.offset(), e.count())
                                    || names(anomaly, e.writer(), e.number(), e.count()));
            case Event.Unanswered e -> names(anomaly, e.writer(), e.number(), e.count());
            case Event.Refused e -> names(anomaly, e.writer(), e.number(), e.count());
            case Event.Read e ->
                    e.partition().equals(anomaly.partition())
                            && covers(anomaly, e.offset(), count(e.values()));
            case Event.Owned e -> concernsOwners(anomaly, e.partitions());
            case Event.Released e -> concernsOwners(anomaly, e.partitions());
            case Event.CommitAsked e -> {
                Long offset = e.offsets().get(anomaly.partition());
                yield isOfAGroup(anomaly) && offset != null && anomaly.offsets().contains(offset);
            }
            case Event.TopicAsked e -> e.topic().equals(anomaly.partition());
            case Event.Replica e -> e.partition().equals(anomaly.partition());
            case Event.Stored e ->
                    e.partition().equals(anomaly.partition())
                            && e.batches().stream().anyMatch(b -> covers(anomaly, b));
            default -> false;
        };
    }

    private static boolean concernsOwners(Anomaly anomaly, List<String> partitions) {
        return isOfAGroup(anomaly) && partitions.contains(anomaly.partition());
    }

    private static boolean isOfAGroup(Anomaly anomaly) {
        return switch (anomaly.kind()) {
            case TWO_OWNERS, NO_OWNER, COMMIT_WENT_BACK, COMMIT_VANISHED -> true;
            default -> false;
        };
    }

    private static boolean covers(Anomaly anomaly, Batch batch) {
        return covers(anomaly, batch.offset(), batch.offsets())
                || batch.values().stream()
                        .anyMatch(
                                span -> names(anomaly, span.writer(), span.number(), span.count()));
    }

    private static boolean covers(Anomaly anomaly, long offset, int count) {
        return anomaly.offsets().stream().anyMatch(at -> at >= offset && at < offset + count);
    }

    private static boolean names(Anomaly anomaly, int writer, long number, int count) {
        return anomaly.values().stream()
                .filter(value -> value.contains("."))
                .map(Span::parse)
                .anyMatch(value ->
                        value.writer() == writer
                                && value.number() >= number
                                && value.number() < number + count);
    }

    private static int count(List<Span> values) {
        return values.stream().mapToInt(Span::count).sum();
    }

    private static String text(Event event, Anomaly anomaly) {
        if (event instanceof Event.Stored stored) {
            return "stored on node %d: %s"
                    .formatted(
                            stored.node(),
                            stored.batches().stream()
                                    .filter(batch -> covers(anomaly, batch))
                                    .toList());
        }
        return event.toString();
    }
}
