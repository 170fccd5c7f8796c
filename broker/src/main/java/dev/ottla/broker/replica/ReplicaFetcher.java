package dev.ottla.broker.replica;

import dev.ottla.broker.coordinator.InternalTopics;
import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.broker.partition.LogNotReadyException;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.request.RequestMemory;
import dev.ottla.broker.shard.Timer;
import dev.ottla.log.AppendOutcome;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.replication.EpochEnd;
import dev.ottla.replication.FetchPosition;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchResponse;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Fetches from one leader what it leads and one shard follows, or a share of that, one request at
/// a time. Owned by the shard's thread.
///
/// | from | to | cause |
/// |---|---|---|
/// | idle | fetching | there is a partition to ask for, and what came last is safe |
/// | fetching | settling | records came: they are appended, written and maybe synced |
/// | fetching | fetching | nothing came |
/// | settling | fetching | all partitions are safe to their ends |
/// | fetching | pausing | the request or the connection failed: a new one, a new session |
/// | pausing | fetching | time passed |
///
/// The next request leaves when everything of the last answer is safe, because its fetch offsets
/// say so; while that takes, more records gather at the leader, and one sync serves them all.
///
/// The session at the leader remembers what was asked, so a request names only what changed
/// (KIP-227). A partition with an error is left out for a while. One that comes newly while a
/// request waits at the leader has the connection given up for it: it may be a partition that
/// nobody can write to until its followers are back.
final class ReplicaFetcher {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaFetcher.class);

    /// A request that takes longer than this waits for records, and does not bring any.
    private static final long IMPATIENCE_MS = 20;

    /// Connections are not given up more often.
    private static final long GIVE_UP_EVERY_MS = 1_000;

    private final Followers owner;
    private final int leaderId;
    private final FetcherSettings settings;
    private final Map<PartitionKey, FollowedPartition> members = new LinkedHashMap<>();

    /// Those whose next request is not under way, and could be.
    private final Set<FollowedPartition> toAsk = new LinkedHashSet<>();

    /// Those that the session has and should not.
    private final Set<PartitionKey> toForget = new LinkedHashSet<>();

    private int settling;
    private int failures;
    private FetchMessages.Session session = new FetchMessages.Session(0, 0);
    private @Nullable LeaderConnection connection;
    private @Nullable Request underWay;
    private long gaveUpAtMs;
    private final Timer retry = alarm(this::send);
    private final Timer impatience = alarm(this::giveUpWaiting);

    ReplicaFetcher(Followers owner, int leaderId, FetcherSettings settings) {
        this.owner = owner;
        this.leaderId = leaderId;
        this.settings = settings;
        gaveUpAtMs = owner.nowMs() - GIVE_UP_EVERY_MS;
    }

    // Members.

    boolean isEmpty() {
        return members.isEmpty();
    }

    void add(FollowedPartition partition) {
        members.put(partition.key, partition);
        askAgain(partition); // What was read again from disk may not be safe yet.
        owner.sendSoon(this);
    }

    void remove(FollowedPartition partition) {
        partition.over = true;
        if (!members.remove(partition.key, partition)) {
            return;
        }
        toAsk.remove(partition);
        if (partition.inSession) {
            toForget.add(partition.key);
        }
        Timer pause = partition.pause;
        if (pause != null) {
            owner.shard().timers().cancel(pause);
        }
        if (partition.settling) {
            settled(partition);
        }
    }

    void close() {
        for (FollowedPartition partition : List.copyOf(members.values())) {
            remove(partition);
        }
        disconnect();
        owner.shard().timers().cancel(retry);
        owner.shard().timers().cancel(impatience);
    }

    /// The log of `partition` has come further, or its role is over.
    void onProgress(FollowedPartition partition) {
        if (partition.over) {
            return;
        }
        HostedPartition hosted = partition.hosted;
        if (hosted == null || !hosted.isFollowing()) {
            owner.forget(partition);
        } else if (partition.settling && partition.core.mayFetch()) {
            toAsk.add(partition);
            settled(partition);
        }
    }

    private void settled(FollowedPartition partition) {
        partition.settling = false;
        settling--;
        if (settling == 0) {
            owner.sendSoon(this);
        }
    }

    // Asking.

    /// One request, so that what comes back too late is known.
    private final class Request implements LeaderConnection.Answer {
        private final boolean full;

        Request(boolean full) {
            this.full = full;
        }

        @Override
        public void onResponse(FetchResponse response, RequestMemory memory) {
            List<FetchedPartition> partitions;
            try {
                partitions = FetchMessages.read(response);
            } catch (RuntimeException e) {
                memory.release();
                throw e;
            }
            owner.shard()
                    .execute(() -> {
                        try {
                            onAnswer(this, response, partitions, memory);
                        } finally {
                            memory.release();
                        }
                    });
        }

        @Override
        public void onFailure(String reason) {
            owner.shard().execute(() -> onFailed(this, reason));
        }
    }

    void send() {
        if (underWay != null) {
            if (!toAsk.isEmpty() && !impatience.isScheduled()) {
                owner.shard().scheduleMs(impatience, IMPATIENCE_MS);
            }
            return;
        }
        if (settling > 0 || retry.isScheduled() || members.isEmpty()) {
            return;
        }
        boolean full = session.sessionEpoch() == 0;
        Map<PartitionKey, FetchPosition> wanted = new LinkedHashMap<>();
        for (FollowedPartition partition : List.copyOf(toAsk)) {
            ask(partition).ifPresent(position -> wanted.put(partition.key, position));
        }
        toAsk.clear();
        if (full) {
            for (FollowedPartition partition : members.values()) {
                FetchPosition position = partition.asked;
                if (position != null && partition.core.expects(position)) {
                    wanted.putIfAbsent(partition.key, position);
                }
            }
        }
        if (wanted.isEmpty() && (full || nothingAsked())) {
            return;
        }
        toForget.removeAll(wanted.keySet());
        for (PartitionKey key : wanted.keySet()) {
            FollowedPartition partition = members.get(key);
            if (partition != null) {
                partition.inSession = true;
            }
        }
        FetchRequest request =
                FetchMessages.request(
                        owner.brokerId(),
                        owner.brokerEpoch(),
                        session,
                        settings.limits(),
                        wanted,
                        List.copyOf(toForget));
        toForget.clear();
        Request next = new Request(full);
        underWay = next;
        connected().fetch(request, settings.timeoutMs(), next);
    }

    private LeaderConnection connected() {
        LeaderConnection present = connection;
        if (present == null) {
            present = owner.connect(leaderId);
            connection = present;
        }
        return present;
    }

    /// What the partition asks for, unless the session knows that already.
    private Optional<FetchPosition> ask(FollowedPartition partition) {
        long throttledMs = owner.throttle().waitMs(partition.key, owner.brokerId());
        if (throttledMs > 0) {
            pauseFor(partition, throttledMs);
            return Optional.empty();
        }
        try {
            FetchPosition position = partition.core.beginFetch();
            boolean known = partition.inSession && position.equals(partition.asked);
            partition.asked = position;
            return known ? Optional.empty() : Optional.of(position);
        } catch (LogNotReadyException e) {
            LOG.debug("Partition {} cannot be fetched now.", partition, e);
            pause(partition);
            return Optional.empty();
        }
    }

    private boolean nothingAsked() {
        for (FollowedPartition partition : members.values()) {
            FetchPosition position = partition.asked;
            if (position != null && partition.core.expects(position)) {
                return false;
            }
        }
        return true;
    }

    private void giveUpWaiting() {
        long nowMs = owner.nowMs();
        if (underWay == null || toAsk.isEmpty()) {
            return;
        }
        if (nowMs - gaveUpAtMs < GIVE_UP_EVERY_MS) {
            owner.shard().scheduleMs(impatience, IMPATIENCE_MS);
            return;
        }
        gaveUpAtMs = nowMs;
        disconnect();
        send();
    }

    /// What was under way and what the session knew is void.
    private void disconnect() {
        LeaderConnection former = connection;
        connection = null;
        underWay = null;
        if (former != null) {
            former.close();
        }
        newSession();
    }

    private void newSession() {
        session = new FetchMessages.Session(0, 0);
        toForget.clear();
        for (FollowedPartition partition : members.values()) {
            partition.inSession = false;
        }
    }

    // Answers.

    private void onFailed(Request request, String reason) {
        if (request != underWay) {
            return;
        }
        LOG.debug("Broker {} does not answer a follower: {}", leaderId, reason);
        disconnect();
        owner.shard().scheduleMs(retry, settings.backoffMs(failures));
        failures++;
    }

    private void onAnswer(
            Request request,
            FetchResponse response,
            List<FetchedPartition> partitions,
            RequestMemory memory) {
        if (request != underWay) {
            return;
        }
        ErrorCode error =
                ErrorCode.forCode(response.errorCode()).orElse(ErrorCode.UNKNOWN_SERVER_ERROR);
        if (error != ErrorCode.NONE) {
            boolean sessionOver = !request.full;
            if (sessionOver) {
                underWay = null;
                newSession();
                send();
            } else {
                onFailed(request, "error " + error);
            }
            return;
        }
        underWay = null;
        failures = 0;
        owner.shard().timers().cancel(impatience);
        int id = request.full ? response.sessionId() : session.id();
        int epoch = session.sessionEpoch() == Integer.MAX_VALUE ? 1 : session.sessionEpoch() + 1;
        session = new FetchMessages.Session(id, id == 0 ? 0 : epoch);
        for (FetchedPartition fetched : partitions) {
            FollowedPartition partition = members.get(fetched.key());
            FetchPosition position = partition == null ? null : partition.asked;
            if (partition != null && position != null && partition.core.expects(position)) {
                takeGuarded(partition, fetched, memory);
            }
        }
        send();
    }

    private void takeGuarded(
            FollowedPartition partition, FetchedPartition fetched, RequestMemory memory) {
        HostedPartition hosted = partition.hosted;
        Runnable take =
                () -> {
                    try {
                        take(partition, fetched, memory);
                    } catch (LogNotReadyException e) {
                        LOG.info("Partition {} is fetched later: {}.", partition, e.getMessage());
                        pause(partition);
                    }
                };
        if (hosted != null) {
            owner.partitions().guarded(hosted, take);
        } else {
            take.run();
        }
    }

    private void take(FollowedPartition partition, FetchedPartition fetched, RequestMemory memory) {
        switch (fetched.error()) {
            case NONE -> {
                if (fetched.diverging().isPresent()) {
                    onDiverging(partition, fetched.diverging().get());
                } else if (fetched.batches().hasRemaining()) {
                    append(partition, fetched, memory);
                } else {
                    tell(partition, fetched);
                    askAgain(partition);
                }
            }
            case OFFSET_OUT_OF_RANGE -> onOutOfRange(partition, fetched.logStartOffset());
            case FENCED_LEADER_EPOCH,
                    UNKNOWN_LEADER_EPOCH,
                    NOT_LEADER_OR_FOLLOWER,
                    UNKNOWN_TOPIC_ID,
                    UNKNOWN_TOPIC_OR_PARTITION -> {
                LOG.debug("Broker {} does not lead {}: {}", leaderId, partition, fetched.error());
                pause(partition);
            }
            default -> {
                LOG.warn(
                        "Partition {} cannot be fetched from broker {}: {}.",
                        partition,
                        leaderId,
                        fetched.error());
                pause(partition);
            }
        }
    }

    private void onDiverging(FollowedPartition partition, EpochEnd leaders) {
        HostedPartition hosted = partition.hosted;
        long before = hosted == null ? 0 : hosted.log().logEndOffset();
        partition.core.onDiverging(leaders);
        LOG.info(
                "Partition {} is cut from {} to {}: epoch {} ends at {} on its leader, broker {}.",
                partition,
                before,
                hosted == null ? 0 : hosted.log().logEndOffset(),
                leaders.leaderEpoch(),
                leaders.endOffset(),
                leaderId);
        askAgain(partition);
    }

    private void onOutOfRange(FollowedPartition partition, long leaderLogStartOffset) {
        if (leaderLogStartOffset < 0 || !host(partition)) {
            pause(partition);
        } else if (partition.core.onOutOfRange(leaderLogStartOffset)) {
            LOG.info(
                    "Partition {} begins anew at {}, where its leader, broker {}, does.",
                    partition,
                    leaderLogStartOffset,
                    leaderId);
            askAgain(partition);
        } else {
            LOG.error(
                    "Partition {} has records that its leader, broker {}, does not have.",
                    partition,
                    leaderId);
            pause(partition);
        }
    }

    private void append(
            FollowedPartition partition, FetchedPartition fetched, RequestMemory memory) {
        HostedPartition hosted = host(partition) ? partition.hosted : null;
        if (hosted == null) {
            pause(partition);
            return;
        }
        owner.throttle().taken(partition.key, owner.brokerId(), fetched.batches().remaining());
        AppendOutcome outcome =
                hosted.appendCopied(
                        fetched.batches(), writer(hosted), memory, owner.partitions().nowMs());
        if (outcome instanceof AppendOutcome.Appended) {
            owner.partitions().metrics().copiedIn(fetched.batches().remaining());
            partition.failures = 0;
            tell(partition, fetched);
            askAgain(partition);
        } else {
            // Its directory says so itself.
            Level level = outcome instanceof AppendOutcome.StorageFull ? Level.DEBUG : Level.WARN;
            LOG.atLevel(level)
                    .log("Partition {} takes no records from its leader: {}", partition, outcome);
            pause(partition);
        }
    }

    private static AppendOrigin writer(HostedPartition hosted) {
        return InternalTopics.contains(hosted.topic())
                ? AppendOrigin.COORDINATOR
                : AppendOrigin.CLIENT;
    }

    /// Makes sure that the partition has a log here.
    private boolean host(FollowedPartition partition) {
        if (partition.hosted != null) {
            return true;
        }
        Optional<HostedPartition> opened = owner.partitions().openFollower(partition.key);
        if (opened.isEmpty()
                || !opened.get().isFollowing()
                || opened.get().leaderEpoch() != partition.leaderEpoch) {
            return false;
        }
        attach(partition, opened.get());
        partition.asked = partition.core.beginFetch();
        return partition.asked.fetchOffset() == 0;
    }

    /// `hosted` follows under the partition's epoch.
    void attach(FollowedPartition partition, HostedPartition hosted) {
        partition.hosted = hosted;
        partition.core = hosted.follow(() -> onProgress(partition));
    }

    private static void tell(FollowedPartition partition, FetchedPartition fetched) {
        HostedPartition hosted = partition.hosted;
        if (hosted != null) {
            hosted.onLeaderOffsets(fetched.highWatermark(), fetched.logStartOffset());
        } else {
            partition.core.onAnswered(fetched.highWatermark(), fetched.logStartOffset());
        }
    }

    private void askAgain(FollowedPartition partition) {
        if (partition.over) {
            return;
        }
        if (partition.core.mayFetch()) {
            toAsk.add(partition);
        } else {
            partition.settling = true;
            settling++;
        }
    }

    /// Leaves the partition out for a while, after an error.
    private void pause(FollowedPartition partition) {
        if (pauseFor(partition, settings.backoffMs(partition.failures))) {
            partition.failures++;
        }
    }

    private boolean pauseFor(FollowedPartition partition, long pauseMs) {
        if (partition.over || partition.pause != null) {
            return false;
        }
        partition.core.onFailed();
        if (partition.inSession) {
            partition.inSession = false;
            toForget.add(partition.key);
        }
        Timer pause =
                alarm(() -> {
                    partition.pause = null;
                    resume(partition);
                });
        partition.pause = pause;
        owner.shard().scheduleMs(pause, pauseMs);
        return true;
    }

    private void resume(FollowedPartition partition) {
        if (!partition.over) {
            askAgain(partition);
            send();
        }
    }

    private static Timer alarm(Runnable action) {
        return new Timer() {
            @Override
            protected void onTimeout() {
                action.run();
            }
        };
    }
}
