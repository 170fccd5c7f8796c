package dev.ottla.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.History;
import dev.ottla.chaos.history.Span;
import dev.ottla.chaos.report.Verdict.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JudgementTest {
    private final long[] nowMs = {0};
    private int faults;
    private long number;

    @TempDir private Path directory;

    @Test
    void enoughFaultsAndRecordsPass() throws IOException {
        Judgement judgement = judge(20, 2_500, "CONTROLLER_KILLED");

        assertThat(judgement.verdict())
                .isEqualTo(
                        new Verdict(
                                Outcome.PASS,
                                "PASS: 52,500 acknowledged records (2,500 a second outside faults), 21 faults of 2 kinds in 21 s, no anomaly"));
        assertThat(judgement.details()).anyMatch(line -> line.contains("CONTROLLER_KILLED"));
    }

    @Test
    void tooFewRecordsAreVoid() throws IOException {
        assertThat(judge(20, 1_500, "CONTROLLER_KILLED").verdict().text())
                .startsWith("VOID: only 1500 records a second outside faults, of 2000; ");
    }

    @Test
    void tooFewFaultsAreVoid() throws IOException {
        assertThat(judge(10, 2_500, "CONTROLLER_KILLED").verdict().text())
                .startsWith("VOID: only 11 faults of 20; ");
    }

    @Test
    void noControllerThatWasKilledIsVoid() throws IOException {
        assertThat(judge(20, 2_500, "NODE_KILLED").verdict().text())
                .startsWith("VOID: no CONTROLLER_KILLED; ");
    }

    @Test
    void anomalyCountsHoweverLittleWasTriedAndTheReportShowsItsRecords() throws IOException {
        Path file = directory.resolve("history.jsonl");
        try (History history = new History(file, () -> nowMs[0]++)) {
            history.add(new Event.Run(5, 3, 60, List.of("kill"), 3_000, "./ottla chaos --seed 5"));
            history.add(new Event.Sent(1, "synced-0", 0, 2));
            history.add(new Event.Acknowledged(1, "synced-0", 0, 2, 0));
            history.add(new Event.Read("reader-1", "synced-0", 1, List.of(new Span(1, 0, 1))));
        }

        Judgement judgement = Judgement.of(file);
        judgement.writeReport(directory.resolve("report.html"));

        assertThat(judgement.verdict().outcome().exitCode()).isEqualTo(1);
        assertThat(judgement.verdict().text())
                .startsWith("ANOMALY: one offset has two values (1); 2 acknowledged records");
        assertThat(Files.readString(directory.resolve("report.html")))
                .contains(
                        "offset 1 of synced-0 was value 1.1 and is 1.0",
                        "Sent[writer=1, partition=synced-0, number=0, count=2]",
                        "./ottla chaos --seed 5");
    }

    @Test
    void ofAGivenClusterWhatIsReadAtTheEndCountsAndTheReportSaysSo() throws IOException {
        Path file = directory.resolve("history.jsonl");
        try (History history = new History(file, () -> nowMs[0]++)) {
            history.add(new Event.Run(5, 3, 60, List.of("client"), 3_000, ""));
            history.add(new Event.Given("there:9092"));
            history.add(new Event.Sent(1, "synced-0", 0, 2));
            history.add(new Event.Acknowledged(1, "synced-0", 0, 2, 0));
            history.add(new Event.Replica(-1, "synced-0", 0, 2, 2, ""));
            history.add(
                    new Event.Stored(
                            -1,
                            "synced-0",
                            List.of(
                                    new Event.Batch(
                                            1, 1, 0, 0, List.of(new Span(1, 1, 1)), List.of()))));
        }

        Judgement judgement = Judgement.of(file);
        judgement.writeReport(directory.resolve("report.html"));

        assertThat(judgement.findings().kept())
                .anyMatch(anomaly ->
                        anomaly.text()
                                .contains("value 1.0 was acknowledged at offset 0 of synced-0"));
        assertThat(judgement.details()).contains(Judgement.NO_FILES);
        assertThat(Files.readString(directory.resolve("report.html"))).contains(Judgement.NO_FILES);
    }

    @Test
    void reportShowsWhoOwnedAPartitionAndWhoCommittedTheOffset() throws IOException {
        Path file = directory.resolve("history.jsonl");
        try (History history = new History(file, () -> nowMs[0]++)) {
            history.add(new Event.Owned("g", "one", 1, List.of("synced-0")));
            history.add(new Event.CommitAsked(1, "g", Map.of("synced-0", 8L)));
            history.add(new Event.CommitAnswered(1, Event.Answer.DONE));
            history.add(new Event.CommittedAsked(2, "g"));
            history.add(new Event.CommittedFound(2, Map.of("synced-0", 5L)));
        }

        Judgement.of(file).writeReport(directory.resolve("report.html"));

        assertThat(Files.readString(directory.resolve("report.html")))
                .contains(
                        "Owned[group=g, member=one, generation=1, partitions=[synced-0]]",
                        "CommitAsked[call=1, group=g, offsets={synced-0=8}]");
    }

    /// A minute with faults that take no time; a second apart.
    private Judgement judge(int count, int rate, String first) throws IOException {
        Path file = directory.resolve("history.jsonl");
        try (History history = new History(file, () -> nowMs[0])) {
            history.add(new Event.Run(5, 3, 60, List.of("kill"), 3_000, ""));
            history.add(new Event.LoadBegan());
            fault(history, rate, first, "");
            for (int i = 0; i < count; i++) {
                fault(
                        history,
                        rate,
                        "NODE_RESTARTED_AT_ONCE",
                        "started again after 35 ms; answers after 900 ms");
            }
            history.add(new Event.LoadEnded());
            history.add(new Event.Healed());
        }
        return Judgement.of(file);
    }

    private void fault(History history, int rate, String kind, String detail) {
        history.add(new Event.Sent(1, "synced-0", number, rate));
        nowMs[0] += 1_000;
        history.add(new Event.Acknowledged(1, "synced-0", number, rate, number));
        number += rate;
        history.add(new Event.FaultBegan(++faults, kind, List.of(2), "node 2"));
        history.add(new Event.FaultEnded(faults, true, detail));
    }
}
