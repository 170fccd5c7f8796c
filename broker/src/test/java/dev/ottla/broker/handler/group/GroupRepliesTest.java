package dev.ottla.broker.handler.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class GroupRepliesTest {
    private static final List<Integer> KEYS = IntStream.range(0, 100_000).boxed().toList();

    private final List<List<Integer>> results = new ArrayList<>();

    @Test
    void answersThatComeAtOnceAreGathered() {
        GroupReplies.<Integer, Integer>forEach(
                KEYS, (key, answer) -> answer.accept(key), results::add);

        assertThat(results).containsExactly(KEYS);
    }

    @Test
    void fewQuestionsAreUnderWayAtATime() {
        Queue<Runnable> underWay = new ArrayDeque<>();
        GroupReplies.<Integer, Integer>forEach(
                KEYS, (key, answer) -> underWay.add(() -> answer.accept(key)), results::add);

        while (results.isEmpty()) {
            assertThat(underWay.size()).isBetween(1, GroupReplies.WINDOW);
            underWay.remove().run();
        }

        assertThat(results).containsExactly(KEYS);
        assertThat(underWay).isEmpty();
    }

    @Test
    void answersOfSeveralThreadsAreGatheredOnce() throws Exception {
        try (ExecutorService a = Executors.newSingleThreadExecutor();
                ExecutorService b = Executors.newSingleThreadExecutor()) {
            CompletableFuture<List<Integer>> result = new CompletableFuture<>();
            GroupReplies.<Integer, Integer>forEach(
                    KEYS,
                    (key, answer) -> (key % 3 == 0 ? a : b).execute(() -> answer.accept(key)),
                    all -> assertThat(result.complete(all)).isTrue());

            assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo(KEYS);
        }
    }

    @Test
    void nothingIsAskedAboutNothing() {
        GroupReplies.<Integer, Integer>forEach(
                List.of(),
                (_, _) -> {
                    throw new AssertionError();
                },
                results::add);

        assertThat(results).containsExactly(List.of());
    }
}
