package dev.ottla.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.chaos.check.Anomaly.Kind;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.Line;
import dev.ottla.chaos.history.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CheckerTest {
    private static final int ROUNDS = Boolean.getBoolean("ottla.long") ? 5_000 : 50;

    private static long seed() {
        String given = System.getProperty("ottla.seed", "");
        long seed =
                given.isEmpty() ? ThreadLocalRandom.current().nextLong() : Long.parseLong(given);
        System.out.println("CheckerTest: seed " + seed);
        return seed;
    }

    private static Findings check(List<Event> events) {
        Checker checker = new Checker();
        long line = 0;
        for (Event event : events) {
            line++;
            checker.accept(new Line(line, line, event));
        }
        return checker.finish();
    }

    @Test
    void cleanHistoriesHaveNoAnomaly() {
        long seed = seed();
        for (int round = 0; round < ROUNDS; round++) {
            List<Event> events = new CleanHistory(new Random(seed + round)).make();

            assertThat(check(events).kept()).as("seed %d", seed + round).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void eachKindOfAnomalyIsFoundWhereverItIsPlanted(Kind kind) {
        long seed = seed();
        int planted = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(seed + round);
            List<Event> clean = new CleanHistory(random).make();

            Optional<List<Event>> mutated = new Mutations(clean, random).tryPlant(kind);

            if (mutated.isPresent()) {
                planted++;
                assertThat(check(mutated.get()).counts())
                        .as("seed %d", seed + round)
                        .containsKey(kind);
            }
        }
        assertThat(planted).isGreaterThan(ROUNDS * 3 / 4);
    }

    @Test
    void anomalyNamesTheRecordsAndTheLines() {
        Findings findings =
                check(
                        List.of(
                                new Event.Topic("a", 1, 0),
                                new Event.Sent(1, "a-0", 0, 2),
                                new Event.Acknowledged(1, "a-0", 0, 2, 0),
                                new Event.Read("reader", "a-0", 0, List.of(Span.parse("1.1+1")))));

        assertThat(findings.kept())
                .containsExactly(
                        new Anomaly(
                                Kind.TWO_VALUES,
                                "offset 0 of a-0 was value 1.0 and is 1.1",
                                "a-0",
                                List.of(0L),
                                List.of("1.0", "1.1"),
                                List.of(4L)));
    }

    @Test
    void manyAnomaliesOfAKindAreCountedAndTheFirstAreKept() {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            events.add(new Event.NodeDied(i, 1, "", List.of()));
        }

        Findings findings = check(events);

        assertThat(findings.count()).isEqualTo(1_000);
        assertThat(findings.kept()).hasSize(20);
    }

    @Test
    void commitThatMayHaveBeenSentTwiceExplainsALowerOffset() {
        List<Event> events =
                List.of(
                        new Event.CommitAsked(1, "g", Map.of("a-0", 5L)),
                        new Event.CommitAnswered(1, Event.Answer.UNKNOWN),
                        new Event.CommitAsked(2, "g", Map.of("a-0", 8L)),
                        new Event.CommitAnswered(2, Event.Answer.DONE),
                        new Event.CommittedAsked(3, "g"),
                        new Event.CommittedFound(3, Map.of("a-0", 5L)));

        assertThat(check(events).kept()).isEmpty();
    }

    @Test
    void compactedTopicMayLoseRecordsWithLaterOnesOfTheirKey() {
        List<Event> events =
                List.of(
                        new Event.Topic("c", 1, 2),
                        new Event.Sent(1, "c-0", 0, 3),
                        new Event.Acknowledged(1, "c-0", 0, 3, 0),
                        new Event.Replica(1, "c-0", 0, 3, 3, ""),
                        new Event.Replica(2, "c-0", 0, 3, 3, ""),
                        new Event.Stored(
                                1,
                                "c-0",
                                List.of(
                                        new Event.Batch(
                                                0,
                                                3,
                                                1,
                                                5,
                                                List.of(Span.parse("1.1+2")),
                                                List.of(1, 2)))),
                        new Event.Stored(
                                2,
                                "c-0",
                                List.of(
                                        new Event.Batch(
                                                0,
                                                3,
                                                1,
                                                6,
                                                List.of(Span.parse("1.0+3")),
                                                List.of()))));

        assertThat(check(events).kept()).isEmpty();
    }
}
