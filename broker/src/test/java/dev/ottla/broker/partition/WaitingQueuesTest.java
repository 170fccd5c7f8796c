package dev.ottla.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.request.RequestMemory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WaitingQueuesTest {
    private final AppendQueue appends = new AppendQueue();
    private final ReaderQueue readers = new ReaderQueue();

    @Test
    void appendsAreServedFromTheFrontUpToAnOffset() {
        add(10);
        add(20);
        add(30);

        assertThat(poll(9)).isEmpty();
        assertThat(poll(20)).containsExactly(10L, 20L);
        assertThat(poll(100)).containsExactly(30L);
        assertThat(appends.isEmpty()).isTrue();
    }

    @Test
    void duplicateOfAnEarlierAppendIsSortedIn() {
        add(10);
        add(30);
        add(20);
        add(5);
        add(30);

        assertThat(poll(30)).containsExactly(5L, 10L, 20L, 30L, 30L);
    }

    @Test
    void appendsBehindACutAreTakenOut() {
        add(10);
        add(20);
        add(30);
        List<Long> removed = new ArrayList<>();

        appends.removeBehind(15, append -> removed.add(append.endOffset));
        add(18);

        assertThat(removed).containsExactly(20L, 30L);
        assertThat(poll(100)).containsExactly(10L, 18L);
    }

    @Test
    void readersAreServedInTheOrderOfTheirOffsetsAndOnlyWhenTheEndHasPassedThem() {
        Waiter late = new Waiter();
        Waiter early = new Waiter();
        readers.add(late, 20);
        readers.add(early, 10);

        assertThat(readers.poll(10)).isNull();
        assertThat(readers.poll(11)).isSameAs(early);
        assertThat(readers.poll(11)).isNull();
        assertThat(readers.poll(21)).isSameAs(late);
        assertThat(readers.isEmpty()).isTrue();
    }

    @Test
    void readerThatGaveUpIsSkipped() {
        List<Waiter> waiters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiters.add(new Waiter());
            readers.add(waiters.get(i), i);
        }

        HostedPartition.stopWaiting(waiters.get(0));
        HostedPartition.stopWaiting(waiters.get(2));
        HostedPartition.stopWaiting(waiters.get(4));
        HostedPartition.stopWaiting(waiters.get(4));

        assertThat(readers.poll(100)).isSameAs(waiters.get(1));
        assertThat(readers.poll(100)).isSameAs(waiters.get(3));
        assertThat(readers.isEmpty()).isTrue();
        assertThat(waiters.get(1).isWaiting()).isFalse();
    }

    private void add(long endOffset) {
        Append append = new Append();
        append.endOffset = endOffset;
        appends.add(append);
    }

    private List<Long> poll(long offset) {
        List<Long> ends = new ArrayList<>();
        for (@Nullable PendingAppend append = appends.poll(offset);
                append != null;
                append = appends.poll(offset)) {
            ends.add(append.endOffset);
        }
        return ends;
    }

    private static final class Append extends PendingAppend {
        Append() {
            super(Acks.LEADER, RequestMemory.UNCOUNTED);
        }

        @Override
        protected void onAcknowledged(HostedPartition partition) {}

        @Override
        protected void onFailed(PartitionError error) {}

        @Override
        protected void onFailure(RuntimeException failure) {
            throw failure;
        }
    }

    private static final class Waiter extends Reader {
        @Override
        protected void onReadable(HostedPartition partition) {}

        @Override
        protected void onFailure(RuntimeException failure) {
            throw failure;
        }
    }
}
