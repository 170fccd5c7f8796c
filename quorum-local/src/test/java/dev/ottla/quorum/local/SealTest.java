package dev.ottla.quorum.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.disk.PowerLoss;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.metadata.controller.CreateTopic;
import dev.ottla.metadata.controller.CreatedTopic;
import dev.ottla.quorum.store.MetadataStoreOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/// The local engine ends and leaves its log to a quorum.
final class SealTest {
    private static final QuorumVoter FIRST =
            new QuorumVoter(1, TestNode.DIRECTORY_ID, "localhost", 9093);

    private final FakeDisk disk = new FakeDisk();
    private final List<Optional<String>> outcomes = new ArrayList<>();

    private TestNode started(long seed) throws IOException {
        return TestNode.started(disk, new Random(seed), MetadataStoreOptions.DEFAULTS);
    }

    @Test
    void whatWasAppendedBeforeIsAnsweredAndNothingIsTakenAfter() throws Exception {
        TestNode node = started(1);
        CompletableFuture<List<CreatedTopic>> before = node.create(CreateTopic.named("before"));
        step(node);

        node.log.seal(FIRST, outcomes::add);
        node.settle();
        CompletableFuture<List<CreatedTopic>> after = node.create(CreateTopic.named("after"));
        node.settle();

        assertThat(before.get().getFirst().error().isNone()).isTrue();
        assertThat(outcomes).containsExactly(Optional.empty());
        assertThat(after)
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(NotControllerException.class);
        assertThat(node.store.flushedEndOffset()).isEqualTo(node.store.endOffset());
    }

    private static void step(TestNode node) {
        Runnable next = node.tasks.poll();
        if (next != null) next.run();
    }

    @Test
    void aSealedLogDoesNotLeadAtTheNextStart() throws Exception {
        TestNode node = started(1);
        node.log.seal(FIRST, outcomes::add);
        node.settle();
        long end = node.store.endOffset();

        disk.crash(new Random(2));
        TestNode again = new TestNode(disk, new Random(3), MetadataStoreOptions.DEFAULTS);
        again.service.start();
        again.log.seal(FIRST, outcomes::add);
        again.settle();

        assertThat(again.log.isSealed()).isTrue();
        assertThat(again.service.isLeader()).isFalse();
        assertThat(again.store.endOffset()).isEqualTo(end);
        assertThat(outcomes).containsExactly(Optional.empty(), Optional.empty());
    }

    @Test
    void aPowerLossBeforeTheSealIsOnDiskLeavesALogThatGoesOnOrIsSealed() throws Exception {
        int sealed = 0;
        for (int writes = 1; writes < 40; writes++) {
            FakeDisk fresh = new FakeDisk();
            TestNode node = TestNode.started(fresh, new Random(1), MetadataStoreOptions.DEFAULTS);
            node.created(CreateTopic.named("kept"));
            fresh.crashAfter(writes);
            boolean done = false;
            try {
                node.log.seal(FIRST, outcomes::add);
                node.settle();
                done = !outcomes.isEmpty();
            } catch (PowerLoss _) {
                // As planned.
            }
            fresh.crash(new Random(writes));

            TestNode again = new TestNode(fresh, new Random(3), MetadataStoreOptions.DEFAULTS);
            again.service.start();
            again.settle();
            assertThat(again.image().topic("kept")).isPresent();
            assertThat(again.log.isSealed()).isNotEqualTo(again.service.isLeader());
            if (done) assertThat(again.log.isSealed()).isTrue();
            if (again.log.isSealed()) sealed++;
            outcomes.clear();
        }
        assertThat(sealed).isBetween(1, 38);
    }
}
