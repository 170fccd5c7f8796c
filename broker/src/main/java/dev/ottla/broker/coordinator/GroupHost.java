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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
/// | loading, active | ended | leadership or an append was lost, or the coordinator failed; the owner makes a new host while this broker leads |
///
/// A reply waits until everything that was appended before it is below the high watermark. While
/// the disk has no room for records, and for a while after an append that something else was
/// missing for, such as a free descriptor, operations that may write are refused before the
/// coordinator hears of them, and its timers wait.
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
    private static final long NO_ROOM_RETRY_MS = 5_000;
    private static final long NEVER = Long.MIN_VALUE / 2;

    private final Map<TimerKey, HostTimer> timers = new HashMap<>();

    /// Requests that were not answered yet.
    private final Set<Outstanding<?>> outstanding = new LinkedHashSet<>();

    /// Replies in the order in which they were given; bounded by the requests under way.
    private final Queue<Waiting> waiting = new ArrayDeque<>();

    private State state = State.LOADING;
    private long appendedCount;
    private long committedCount;
    private long noRoomMs = NEVER; // When the disk was last seen to have no room.
    private Shortage shortage = Shortage.NONE;
    private boolean shortAgain;
    private boolean appendLost; // Then nothing more may follow it into the log.
    private boolean failed;

    /// Runs while somebody waits, until the deadline of who waits longest.
    private final Timer patience = new Patience();

    /// Why an append was refused although nothing had spoken against it, and when.
    private record Shortage(String reason, long seenMs) {
        static final Shortage NONE = new Shortage("", NEVER);
    }

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
        guarded(() -> coordinator.onLoaded(topics, environment.nowMs()));
    }

    /// Everybody who waits is told to look for the coordinator again.
    void becomeEnded(ErrorCode error, String reason) {
        if (state == State.ENDED) return;
        Refusal refusal = Refusal.of(error, "%s", reason);
        if (state == State.ACTIVE && !failed) {
            try {
                coordinator.abandon(refusal, environment.nowMs());
            } catch (RuntimeException e) {
                LOG.error("The coordinator on {} did not end in order.", partition, e);
            }
        }
        state = State.ENDED;
        timers.values().forEach(timer -> environment.shard().timers().cancel(timer));
        timers.clear();
        environment.shard().timers().cancel(patience);
        waiting.clear();
        List.copyOf(outstanding).forEach(reply -> reply.refuse(refusal));
    }

    /// This host takes the place of one that ended: what that one was short of may be missing
    /// still.
    void follow(GroupHost ended) {
        shortage = ended.shortage;
    }

    /// Whether an append was refused of late that may be taken when it is tried again.
    private boolean isShort() {
        return environment.nowMs() - shortage.seenMs() < NO_ROOM_RETRY_MS;
    }

    /// Whether an append was lost soon after a host before this one lost one.
    boolean isShortAgain() {
        return shortAgain;
    }

    /// Runs a request, unless the coordinator is loading or gone.
    <T> void run(GroupCoordinators.Operation<T> operation, Reply<T> reply, boolean mayWrite) {
        switch (state) {
            case ACTIVE -> {
                Optional<Refusal> doubt = doubt();
                if (doubt.isPresent()) {
                    reply.refuse(doubt.get());
                    return;
                }
                Outstanding<T> tracked = new Outstanding<>(reply);
                outstanding.add(tracked);
                Optional<String> noRoom = mayWrite ? noRoom() : Optional.empty();
                if (noRoom.isPresent()) {
                    tracked.refuse(
                            Refusal.of(
                                    ErrorCode.COORDINATOR_NOT_AVAILABLE,
                                    "The coordinator on %s cannot write: %s",
                                    partition,
                                    noRoom.get()));
                } else {
                    guarded(() -> operation.run(coordinator, tracked, environment.nowMs()));
                }
            }
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

    /// What this coordinator has read may be lost again while not all replicas have it, and another
    /// one may know more when this one stood still or is cut off: what was once told must stay so.
    private Optional<Refusal> doubt() {
        if (!partition.isSettled()) {
            return Optional.of(
                    Refusal.of(
                            ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
                            "The coordinator on %s waits until its in-sync replicas have what it has: try again.",
                            partition));
        }
        if (!partition.isCertainToLead()) {
            return Optional.of(
                    Refusal.of(
                            ErrorCode.NOT_COORDINATOR,
                            "Partition %s may have another leader by now: look for the coordinator again.",
                            partition));
        }
        return Optional.empty();
    }

    private Optional<String> noRoom() {
        Optional<String> refusal = partition.appendRefusal(AppendOrigin.COORDINATOR);
        if (refusal.isPresent()) noRoomMs = environment.nowMs();
        return refusal.isEmpty() && isShort() ? Optional.of(shortage.reason()) : refusal;
    }

    /// A failure is a bug of ours, and leaves a state that nobody may go on with; the log has the
    /// truth.
    private void guarded(Runnable operation) {
        try {
            operation.run();
        } catch (RuntimeException e) {
            LOG.error(
                    "The coordinator on {} failed: it is dropped and read again from its log.",
                    partition,
                    e);
            failed = true;
            environment.onFailed(this);
        }
    }

    void onTopicsChanged(TopicsView topics, TopicChanges changes) {
        if (isActive()) {
            guarded(() -> coordinator.onTopicsChanged(topics, changes, environment.nowMs()));
        }
    }

    @Override
    public void append(List<CoordinatorRecord> records) {
        if (state == State.ENDED || appendLost) return;
        if (!partition.isLeading()) {
            appendedCount++;
            environment.onAppendLost(this);
            return;
        }
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
                appendLost = true;
                onRefused(outcome, nowMs);
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
    private void onRefused(AppendOutcome outcome, long nowMs) {
        switch (outcome) {
            case AppendOutcome.StorageFull full -> {
                shortAgain = isShort();
                shortage = new Shortage(full.message(), nowMs);
            }
            case AppendOutcome.Offline _ -> {}
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
                        guarded(() ->
                                coordinator.onRegexesResolved(
                                        groupId, matches, version, environment.nowMs()));
                    }
                },
                () -> {
                    if (isActive()) {
                        guarded(() -> coordinator.onRegexesFailed(groupId, environment.nowMs()));
                    }
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
            long nowMs = environment.nowMs();
            if (noRoom().isPresent() || nowMs - noRoomMs < NO_ROOM_RETRY_MS) {
                // Members that were refused get a moment to be heard when there is room again.
                environment.shard().scheduleMs(this, NO_ROOM_RETRY_MS);
                return;
            }
            timers.remove(key);
            if (isActive()) guarded(() -> coordinator.onTimer(key, nowMs));
        }
    }

    /// The reply to one request; the second answer to it is dropped.
    private final class Outstanding<T> implements Reply<T> {
        private final Reply<T> to;

        Outstanding(Reply<T> to) {
            this.to = to;
        }

        @Override
        public void complete(T response) {
            if (outstanding.remove(this)) answer(() -> to.complete(response));
        }

        @Override
        public void refuse(Refusal refusal) {
            if (outstanding.remove(this)) answer(() -> to.refuse(refusal));
        }

        /// What fails behind the coordinator is no fault of its state.
        private void answer(Runnable answer) {
            try {
                answer.run();
            } catch (RuntimeException e) {
                LOG.error("An answer of the coordinator on {} could not be given.", partition, e);
            }
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

        @Override
        protected void onFailure(RuntimeException failure) {
            LOG.error("{} could not go on after an append.", partition, failure);
            environment.onAppendLost(GroupHost.this);
        }
    }
}
