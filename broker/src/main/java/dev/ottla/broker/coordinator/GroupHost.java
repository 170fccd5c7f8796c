package dev.ottla.broker.coordinator;

import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.broker.partition.PartitionError;
import dev.ottla.broker.partition.PendingAppend;
import dev.ottla.broker.request.RequestMemory;
import dev.ottla.broker.shard.Timer;
import dev.ottla.group.GroupCoordinator;
import dev.ottla.group.TopicChanges;
import dev.ottla.group.record.CoordinatorRecord;
import dev.ottla.group.shell.Effects;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.Reply;
import dev.ottla.group.shell.TimerKey;
import dev.ottla.group.shell.TopicsView;
import dev.ottla.log.AppendOutcome;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.wire.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One group coordinator and the partition of `__consumer_offsets` it lives on. Owned by the
/// partition's shard thread.
///
/// | from | to | cause |
/// |---|---|---|
/// | loading | active | the partition was read to its end |
/// | loading, active | ended | leadership or an append was lost; the owner makes a new host while this broker leads |
///
/// A reply waits until everything that was appended before it is below the high watermark.
final class GroupHost implements Effects {
    private static final Logger LOG = LoggerFactory.getLogger(GroupHost.class);

    private static final long NS_PER_MS = 1_000_000;

    private enum State {
        LOADING,
        ACTIVE,
        ENDED
    }

    private final HostedPartition partition;
    private final GroupEnvironment environment;
    private final GroupCoordinator coordinator;
    private final Map<TimerKey, HostTimer> timers = new HashMap<>();

    /// Replies in the order in which they were given; bounded by the requests under way.
    private final Queue<Waiting> waiting = new ArrayDeque<>();

    private State state = State.LOADING;
    private long appendedCount;
    private long committedCount;

    /// Runs while somebody waits, until the deadline of who waits longest.
    private final Timer patience = new Patience();

    /// A reply that leaves when `appends` appends are committed, or as a refusal at its deadline.
    private record Waiting(long appends, Reply<?> reply, Runnable release, long deadlineNs) {}

    GroupHost(HostedPartition partition, GroupEnvironment environment) {
        this.partition = partition;
        this.environment = environment;
        this.coordinator =
                new GroupCoordinator(environment.configs(), this, environment.uniqueIds());
    }

    HostedPartition partition() {
        return partition;
    }

    GroupCoordinator coordinator() {
        return coordinator;
    }

    boolean isActive() {
        return state == State.ACTIVE;
    }

    boolean isEnded() {
        return state == State.ENDED;
    }

    /// The partition was read to its end: requests may come.
    void becomeActive(TopicsView topics) {
        if (state != State.LOADING) return;
        state = State.ACTIVE;
        coordinator.onLoaded(topics, environment.nowMs());
    }

    /// Everybody who waits is told to look for the coordinator again.
    void becomeEnded(ErrorCode error, String reason) {
        if (state == State.ENDED) return;
        boolean wasActive = state == State.ACTIVE;
        Refusal refusal = Refusal.of(error, "%s", reason);
        if (wasActive) coordinator.abandon(refusal, environment.nowMs());
        state = State.ENDED;
        timers.values().forEach(timer -> environment.shard().timers().cancel(timer));
        timers.clear();
        environment.shard().timers().cancel(patience);
        waiting.forEach(reply -> reply.reply().refuse(refusal));
        waiting.clear();
    }

    /// Runs a request, unless the coordinator is loading or gone.
    <T> void run(GroupCoordinators.Operation<T> operation, Reply<T> reply) {
        switch (state) {
            case ACTIVE -> operation.run(coordinator, reply, environment.nowMs());
            case LOADING ->
                    reply.refuse(
                            Refusal.of(
                                    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
                                    "The coordinator on %s is still being read: try again.",
                                    partition));
            case ENDED ->
                    reply.refuse(
                            Refusal.of(
                                    ErrorCode.NOT_COORDINATOR,
                                    "The coordinator on %s is gone: look for it again.",
                                    partition));
        }
    }

    void onTopicsChanged(TopicsView topics, TopicChanges changes) {
        if (isActive()) coordinator.onTopicsChanged(topics, changes, environment.nowMs());
    }

    @Override
    public void append(List<CoordinatorRecord> records) {
        if (state == State.ENDED) return;
        long nowMs = environment.nowMs();
        int limit =
                Math.min(
                        partition.settings().rules().maxMessageBytes(),
                        partition.settings().log().segmentBytes());
        for (ByteBuffer batch :
                CoordinatorBatches.of(records, nowMs, limit, environment.compression())) {
            // Counted whatever comes of it: replies to records that were not taken never leave.
            appendedCount++;
            AppendOutcome outcome =
                    partition.append(new Append(), batch, AppendOrigin.COORDINATOR, nowMs);
            if (!(outcome instanceof AppendOutcome.Appended)) {
                logLost(outcome);
                environment.onAppendLost(this);
                return;
            }
        }
    }

    @Override
    public <T> void complete(Reply<T> reply, T response) {
        releaseWhenCommitted(reply, () -> reply.complete(response));
    }

    @Override
    public void refuse(Reply<?> reply, Refusal refusal) {
        releaseWhenCommitted(reply, () -> reply.refuse(refusal));
    }

    /// What is wrong with the disk is told by its directory, once.
    private void logLost(AppendOutcome outcome) {
        switch (outcome) {
            case AppendOutcome.StorageFull _, AppendOutcome.Offline _ -> {}
            case AppendOutcome.Appended _,
                    AppendOutcome.Duplicate _,
                    AppendOutcome.OutOfOrderSequence _,
                    AppendOutcome.StaleProducerEpoch _,
                    AppendOutcome.StaleCoordinatorEpoch _,
                    AppendOutcome.TooLarge _,
                    AppendOutcome.UnexpectedOffset _ ->
                    LOG.error(
                            "{} does not take the records of its coordinator: {}",
                            partition,
                            outcome);
        }
    }

    private void releaseWhenCommitted(Reply<?> reply, Runnable release) {
        if (committedCount == appendedCount) {
            release.run();
            return;
        }
        long timeoutMs = environment.commitTimeoutMs();
        long deadlineNs = environment.shard().nowNs() + timeoutMs * NS_PER_MS;
        waiting.add(new Waiting(appendedCount, reply, release, deadlineNs));
        if (!patience.isScheduled()) environment.shard().scheduleMs(patience, timeoutMs);
    }

    private void onCommitted() {
        committedCount++;
        for (Waiting next = waiting.peek();
                next != null && next.appends() <= committedCount;
                next = waiting.peek()) {
            waiting.remove();
            next.release().run();
        }
    }

    @Override
    public void schedule(TimerKey key, long deadlineMs) {
        if (state == State.ENDED) return;
        HostTimer timer = timers.computeIfAbsent(key, HostTimer::new);
        environment.shard().timers().cancel(timer);
        environment.shard().scheduleMs(timer, Math.max(0, deadlineMs - environment.nowMs()));
    }

    @Override
    public void cancel(TimerKey key) {
        HostTimer timer = timers.remove(key);
        if (timer != null) environment.shard().timers().cancel(timer);
    }

    @Override
    public void resolveRegexes(String groupId, Set<String> regexes) {
        environment.resolveRegexes(
                regexes,
                (matches, version) -> {
                    if (isActive()) {
                        coordinator.onRegexesResolved(
                                groupId, matches, version, environment.nowMs());
                    }
                },
                () -> {
                    if (isActive()) coordinator.onRegexesFailed(groupId, environment.nowMs());
                });
    }

    /// Who has waited too long is told to try again. The records may be committed nevertheless, as
    /// after any lost answer.
    private final class Patience extends Timer {
        @Override
        protected void onTimeout() {
            long nowNs = environment.shard().nowNs();
            Waiting next = waiting.peek();
            while (next != null && next.deadlineNs() <= nowNs) {
                waiting.remove();
                next.reply()
                        .refuse(
                                Refusal.of(
                                        ErrorCode.COORDINATOR_NOT_AVAILABLE,
                                        "The records of the coordinator on %s were not committed within offsets.commit.timeout.ms: try again.",
                                        partition));
                next = waiting.peek();
            }
            if (next != null) {
                environment.shard().scheduleMs(this, 1 + (next.deadlineNs() - nowNs) / NS_PER_MS);
            }
        }
    }

    private final class HostTimer extends Timer {
        private final TimerKey key;

        HostTimer(TimerKey key) {
            this.key = key;
        }

        @Override
        protected void onTimeout() {
            timers.remove(key);
            if (isActive()) coordinator.onTimer(key, environment.nowMs());
        }
    }

    private final class Append extends PendingAppend {
        Append() {
            super(Acks.ALL_IN_SYNC, RequestMemory.UNCOUNTED);
        }

        @Override
        protected void onAcknowledged(HostedPartition committed) {
            if (state != State.ENDED) onCommitted();
        }

        @Override
        protected void onFailed(PartitionError error) {
            if (state != State.ENDED) environment.onAppendLost(GroupHost.this);
        }
    }
}
