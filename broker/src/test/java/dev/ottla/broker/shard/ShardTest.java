package dev.ottla.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// A shard behaves the same on a thread of its own and on that of a host.
@ParameterizedClass
@EnumSource
class ShardTest {
    enum Place {
        OWN_THREAD,
        HOST
    }

    private final TestHost host = new TestHost();
    private final Shard shard;
    private final List<Throwable> failures = new ArrayList<>();
    private final CountDownLatch broken = new CountDownLatch(1);

    ShardTest(Place place) {
        shard =
                switch (place) {
                    case OWN_THREAD ->
                            new Shard(
                                    0,
                                    System::nanoTime,
                                    task -> new Thread(task, "shard-under-test"),
                                    this::onBroken);
                    case HOST -> new Shard(0, System::nanoTime, host, this::onBroken);
                };
    }

    private void onBroken(Throwable failure) {
        failures.add(failure);
        broken.countDown();
    }

    @AfterEach
    void stop() throws InterruptedException {
        shard.stop();
        assertThat(shard.awaitStop(10_000)).isTrue();
        host.close();
    }

    @Test
    void messagesOfEachPosterRunInItsOrder() throws InterruptedException {
        int posters = 4;
        int each = 20_000;
        List<List<Integer>> seen = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(posters * each);
        shard.start();

        List<Thread> threads = new ArrayList<>();
        for (int p = 0; p < posters; p++) {
            List<Integer> mine = new ArrayList<>();
            seen.add(mine);
            threads.add(
                    new Thread(() -> {
                        for (int i = 0; i < each; i++) {
                            int number = i;
                            shard.execute(() -> {
                                mine.add(number);
                                done.countDown();
                            });
                        }
                    }));
        }
        threads.forEach(Thread::start);

        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        for (List<Integer> mine : seen) {
            assertThat(mine).isSorted().hasSize(each);
        }
    }

    @Test
    void oneTurnTakesEverythingThatWaits() throws InterruptedException {
        List<String> order = new ArrayList<>();
        AtomicInteger turns = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        shard.execute(() ->
                shard.onTurnEnd(() -> {
                    if (turns.incrementAndGet() == 1) {
                        order.add("end");
                        done.countDown();
                    }
                }));
        shard.execute(() -> order.add("a"));
        shard.execute(() -> order.add("b"));
        assertThat(shard.backlog()).isEqualTo(3);

        shard.start();

        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(order).containsExactly("a", "b", "end");
    }

    @Test
    void timersFireWithoutMessages() throws InterruptedException {
        CountDownLatch fired = new CountDownLatch(1);
        shard.start();

        shard.execute(() ->
                shard.scheduleMs(
                        new Timer() {
                            @Override
                            protected void onTimeout() {
                                fired.countDown();
                            }
                        },
                        30));

        assertThat(fired.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private static void fail() {
        throw new IllegalStateException("planted");
    }

    /// Only what is confined to a request, partition or coordinator may be gone on after.
    private void assertStopsAfter(Runnable planted) throws InterruptedException {
        AtomicInteger later = new AtomicInteger();
        shard.execute(planted);
        shard.execute(() -> shard.scheduleMs(timer(later::incrementAndGet), 1_000));
        shard.start();

        assertThat(broken.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(shard.awaitStop(10_000)).isTrue();
        assertThat(failures).hasSize(1);
        assertThat(later).hasValue(0);
    }

    private static Timer timer(Runnable task) {
        return new Timer() {
            @Override
            protected void onTimeout() {
                task.run();
            }
        };
    }

    @Test
    void failureThatNoMessageAnswersForStopsTheShard() throws InterruptedException {
        assertStopsAfter(ShardTest::fail);
        assertThat(failures.getFirst()).hasMessage("planted");
    }

    @Test
    void errorOfTheMachineStopsTheShard() throws InterruptedException {
        assertStopsAfter(() -> {
            throw new StackOverflowError("planted");
        });
    }

    @Test
    void failureAtTheEndOfATurnStopsTheShard() throws InterruptedException {
        assertStopsAfter(() -> shard.onTurnEnd(ShardTest::fail));
    }

    @Test
    void failureOfATimerIsItsOwnIfItAnswersForIt() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch next = new CountDownLatch(1);
        shard.execute(() -> {
            shard.scheduleMs(
                    new Timer() {
                        @Override
                        protected void onTimeout() {
                            fail();
                        }

                        @Override
                        protected void onFailure(RuntimeException failure) {
                            told.countDown();
                        }
                    },
                    1);
            shard.scheduleMs(timer(next::countDown), 20);
        });
        shard.start();

        assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(next.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(failures).isEmpty();
    }

    @Test
    void failedMessageIsToldAndTheNextOneRuns() throws InterruptedException {
        CountDownLatch failed = new CountDownLatch(1);
        CountDownLatch next = new CountDownLatch(1);
        shard.start();

        shard.post(
                new ShardMessage() {
                    @Override
                    protected void run() {
                        throw new IllegalStateException("planned");
                    }

                    @Override
                    protected void onFailure(RuntimeException failure) {
                        failed.countDown();
                    }
                });
        shard.execute(next::countDown);

        assertThat(failed.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(next.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void turnThatEndsLetsAnEarlierTimerFireInTime() throws InterruptedException {
        CountDownLatch fired = new CountDownLatch(1);
        shard.execute(() -> shard.scheduleMs(timer(() -> {}), 60_000));
        shard.start();

        shard.execute(() -> shard.scheduleMs(timer(fired::countDown), 20));

        assertThat(fired.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void ownerIsWhoRunsATurn() throws InterruptedException {
        List<Boolean> owned = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        shard.execute(() -> {
            owned.add(shard.isOwner());
            owned.add(shard.busyNs(System.nanoTime() + 1_000) > 0);
            done.countDown();
        });
        shard.start();

        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(owned).containsExactly(true, true);
        assertThat(shard.isOwner()).isFalse();
    }

    @Test
    void whatIsPostedBeforeTheStopRunsAndWhatComesLaterDoesNot() throws InterruptedException {
        List<String> ran = new ArrayList<>();
        shard.start();
        shard.execute(() -> ran.add("before"));
        shard.stop();
        assertThat(shard.awaitStop(10_000)).isTrue();

        shard.execute(() -> ran.add("after"));

        assertThat(ran).containsExactly("before");
    }
}
