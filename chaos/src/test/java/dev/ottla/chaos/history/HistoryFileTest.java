package dev.ottla.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HistoryFileTest {
    private static final List<Event> ONE_OF_EACH =
            List.of(
                    new Event.Run(-5, 3, 60, List.of("kill"), 3_000, "./ottla chaos"),
                    new Event.Topic("c", 12, 50),
                    new Event.Sent(1, "c-0", 7, 20),
                    new Event.Acknowledged(1, "c-0", 7, 20, 100),
                    new Event.Unanswered(1, "c-0", 7, 20, "timed out"),
                    new Event.Refused(1, "c-0", 7, 20, "too large"),
                    new Event.Read("r", "c-0", 3, List.of(new Span(1, 7, 20), new Span(2, 1, 1))),
                    new Event.Owned("g", "m", 4, List.of("c-0")),
                    new Event.Released("g", "m", List.of("c-0")),
                    new Event.CommitAsked(1, "g", Map.of("c-0", 5L)),
                    new Event.CommitAnswered(1, Event.Answer.UNKNOWN),
                    new Event.CommittedAsked(2, "g"),
                    new Event.CommittedFound(2, Map.of("c-0", 5L)),
                    new Event.EndsAsked(3),
                    new Event.EndsFound(3, Map.of("c-0", 0L), Map.of("c-0", 9L)),
                    new Event.FaultBegan(1, "NODE_KILLED", List.of(2), "node 2"),
                    new Event.FaultEnded(1, true, ""),
                    new Event.LoadBegan(),
                    new Event.LoadEnded(),
                    new Event.Healed(),
                    new Event.NodeDied(2, 70, "node-2.out", List.of("A bug")),
                    new Event.Stuck("no leader"),
                    new Event.Replica(1, "c-0", 0, 9, 9, "/data/c-0"),
                    new Event.Stored(
                            1,
                            "c-0",
                            List.of(
                                    new Event.Batch(
                                            0,
                                            3,
                                            1,
                                            0xffff_ffffL,
                                            List.of(new Span(1, 1, 2)),
                                            List.of(1, 2)))));

    @Test
    void whatIsWrittenIsReadBack(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("history.jsonl");
        long[] now = {0};
        try (History history = new History(file, () -> now[0] += 10)) {
            ONE_OF_EACH.forEach(history::add);
        }

        List<Line> lines = new ArrayList<>();
        HistoryFile.read(file, lines::add);

        assertThat(lines).extracting(Line::event).isEqualTo(ONE_OF_EACH);
        assertThat(lines.get(2).line()).isEqualTo(3);
        assertThat(lines.get(2).atMs()).isEqualTo(30);
        assertThat(Files.readAllLines(file).get(6))
                .isEqualTo(
                        "{\"at\":70,\"event\":{\"is\":\"read\",\"reader\":\"r\",\"partition\":\"c-0\",\"offset\":3,\"values\":[\"1.7+20\",\"2.1\"]}}");
    }

    @Test
    void lineThatIsNoEventIsNamed(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("history.jsonl");
        Files.writeString(file, "{\"at\":1,\"event\":{\"is\":\"load-began\"}}\n{\"at\":2,\"ev\n");

        assertThatThrownBy(() -> HistoryFile.read(file, _ -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line 2 of the history cannot be read");
    }

    @Test
    void valuesThatFollowOneAnotherAreOneSpan() {
        Spans spans = new Spans();
        spans.add(1, 5);
        spans.add(1, 6);
        spans.add(2, 7);

        assertThat(spans.take()).containsExactly(new Span(1, 5, 2), new Span(2, 7, 1));
        assertThat(spans.isEmpty()).isTrue();
    }
}
