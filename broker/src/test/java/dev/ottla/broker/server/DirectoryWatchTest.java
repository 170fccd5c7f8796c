package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.metadata.controller.ApiError;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class DirectoryWatchTest {
    private static final Uuid GOOD = new Uuid(1, 1);
    private static final Uuid BAD = new Uuid(2, 2);

    private final List<CompletableFuture<ApiError>> asked = new ArrayList<>();
    private List<Uuid> online = List.of(GOOD, BAD);
    private final DirectoryWatch watch =
            new DirectoryWatch(
                    online,
                    () -> online,
                    _ -> {
                        CompletableFuture<ApiError> answer = new CompletableFuture<>();
                        asked.add(answer);
                        return answer;
                    });

    @Test
    void theControllerIsToldUntilItHasHeard() {
        watch.check();
        assertThat(asked).isEmpty();

        online = List.of(GOOD);
        watch.check();
        watch.check();
        assertThat(asked).hasSize(1);

        asked.getLast().completeExceptionally(new IllegalStateException("planted"));
        watch.check();
        assertThat(asked).hasSize(2);
        asked.getLast().complete(ApiError.of(ErrorCode.STALE_BROKER_EPOCH, "planted"));
        watch.check();
        assertThat(asked).hasSize(3);
        asked.getLast().complete(ApiError.NONE);
        watch.check();
        assertThat(asked).hasSize(3);
    }

    @Test
    void aPeriodicTaskThatFailsRunsAgain() {
        List<String> runs = new ArrayList<>();
        Runnable task =
                Upkeep.repeatable(() -> {
                    runs.add("run");
                    throw new IllegalStateException("planted");
                });

        task.run();
        task.run();

        assertThat(runs).hasSize(2);
    }
}
