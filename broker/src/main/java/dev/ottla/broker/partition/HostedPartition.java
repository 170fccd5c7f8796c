package dev.ottla.broker.partition;

import static dev.ottla.wire.Check.check;

import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.request.RequestMemory;
import dev.ottla.broker.settings.TopicSettings;
import dev.ottla.log.AppendOutcome;
import dev.ottla.log.FlushPolicy;
import dev.ottla.log.LoadOutcome;
import dev.ottla.log.LogListener;
import dev.ottla.log.LookupOutcome;
import dev.ottla.log.PartitionLog;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.log.producer.ProducerEntry;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.record.RecordBatch;
import dev.ottla.replication.ActiveBrokers;
import dev.ottla.replication.FollowerFetch;
import dev.ottla.replication.FollowerReplica;
import dev.ottla.replication.IsrProposal;
import dev.ottla.replication.LeaderReplica;
import dev.ottla.replication.LeaderStart;
import dev.ottla.replication.LeaderStart.Membership;
import dev.ottla.wire.ErrorCode;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One partition on this broker: its log, its leader or follower state, and who waits. Owned by its
/// shard's thread.
///
/// | from | to | cause |
/// |---|---|---|
/// | opening | open | the log was recovered |
/// | opening | offline | the log could not be opened |
/// | open, following | leading | the image names this broker as leader, under an epoch of its own |
/// | leading, following | the same | a new leader epoch |
/// | open, leading | following | the image names another leader |
/// | leading, following | open | the image names no leader |
/// | open, leading, following | offline | the log or its directory failed, or a bug showed itself |
/// | any | gone | the topic was deleted |
///
/// Who waits is in [WaitingAppends], [WaitingReaders] and [WaitingDeletions].
public final class HostedPartition implements LogListener, LeaderReplica.Effects {
    private static final Logger LOG = LoggerFactory.getLogger(HostedPartition.class);

    private final PartitionKey key;
    private final String topic;
    private final int brokerId;
    private final BrokerMetrics metrics;
    private TopicSettings settings;
    private int replicationFactor = 1;
    private @Nullable PartitionLog log;
    private @Nullable LeaderReplica leader;
    private @Nullable FollowerReplica follower;

    /// While following: to be run whenever the log has become safe further, lost its end or cannot
    /// be used.
    private @Nullable Runnable followerProgress;

    private int cuts;

    /// Exclusive; the last one of the role before, or the one that was noted before the start.
    private long lastHighWatermark;

    /// Whether in this life the high watermark came up to where it was before.
    private boolean highWatermarkKnown;

    private @Nullable PartitionError unavailable;
    private boolean gone;

    /// Whether the records on disk are not what was written there.
    private boolean damaged;

    private boolean broken;

    /// Clears away what is on disk of a log that could not be opened.
    private @Nullable Runnable remains;

    /// While the partition takes no appends: to be run whenever it comes further or cannot be used.
    private @Nullable Runnable frozen;

    private final WaitingAppends appends = new WaitingAppends(this);
    private final WaitingReaders readers = new WaitingReaders(this);
    private final WaitingDeletions deletions = new WaitingDeletions();
    private final LeaderSurroundings surroundings;

    HostedPartition(
            PartitionKey key,
            String topic,
            int brokerId,
            TopicSettings settings,
            BrokerMetrics metrics,
            LeaderSurroundings surroundings) {
        this.surroundings = surroundings;
        this.metrics = metrics;
        this.key = key;
        this.topic = topic;
        this.brokerId = brokerId;
        this.settings = settings;
        becomeUnavailable(ErrorCode.NOT_LEADER_OR_FOLLOWER, "is still being opened; try again");
    }

    // What it is.

    public PartitionKey key() {
        return key;
    }

    public String topic() {
        return topic;
    }

    public TopicSettings settings() {
        return settings;
    }

    /// Why the partition cannot be used through this broker now; empty while it leads.
    public Optional<PartitionError> unavailable() {
        return Optional.ofNullable(unavailable);
    }

    public boolean isLeading() {
        return leader != null;
    }

    /// Whether the log takes what the leader has, and consumers may read it up to the high
    /// watermark.
    public boolean isFollowing() {
        return follower != null;
    }

    /// The partition must be leading or following, as for everything below.
    public PartitionLog log() {
        PartitionLog open = log;
        if (open == null) {
            throw new IllegalStateException(this + " has no open log");
        }
        return open;
    }

    Optional<PartitionLog> openLog() {
        return Optional.ofNullable(log);
    }

    /// Why an append would be refused for want of room before it is tried, if it would.
    public Optional<String> appendRefusal(AppendOrigin origin) {
        return openLog().flatMap(open -> open.directory().appendRefusal(origin));
    }

    /// Whether the log is open and neither failed nor broken.
    boolean isUsable() {
        return log != null && log.offlineReason().isEmpty() && !isOffline();
    }

    public int leaderEpoch() {
        FollowerReplica following = follower;
        return following != null ? following.leaderEpoch() : leading().leaderEpoch();
    }

    public long epochStartOffset() {
        return leading().epochStartOffset();
    }

    /// Whether the high watermark has passed where the present leader began. Before that it may
    /// stand below records that were acknowledged, and says nothing about where the partition ends.
    /// A follower knows no better before it has heard of its leader's.
    public boolean isSettled() {
        return follower != null ? highWatermarkKnown : highWatermark() >= epochStartOffset();
    }

    /// Exclusive: consumers may read below it.
    public long highWatermark() {
        FollowerReplica following = follower;
        return following != null ? following.highWatermark() : leading().highWatermark();
    }

    /// Exclusive: consumers of committed transactions may read below it.
    public long lastStableOffset() {
        return log().lastStableOffset(highWatermark());
    }

    /// Exclusive end of what a consumer may read.
    public long readableEndOffset(boolean committedOnly) {
        return committedOnly ? lastStableOffset() : highWatermark();
    }

    /// Whether a produce request with acks=all may be appended (error NOT_ENOUGH_REPLICAS
    /// otherwise).
    public boolean hasEnoughReplicas() {
        return leading().hasEnoughReplicas();
    }

    /// Whether no other broker can lead by now without this one having heard of it. If that is not
    /// certain, followers that wait are answered: when they have asked again, it is.
    public boolean isCertainToLead() {
        boolean certain = leading().isCertain(surroundings.nowMs());
        if (!certain) {
            readers.wakeFollowers();
        }
        return certain;
    }

    /// Whether another broker may lead without this one having heard of it, and probably does: no
    /// controller was heard of for a session, and in-sync followers do not follow
    /// (docs/decisions/0029). What is here can be read; but nobody should wait for more.
    public boolean isCutOff() {
        return leader != null
                && surroundings.isOutOfTouch()
                && !leader.isCertain(surroundings.nowMs());
    }

    /// What those hear who would wait here.
    public PartitionError cutOff() {
        return error(
                ErrorCode.NOT_LEADER_OR_FOLLOWER,
                "may have another leader by now: this broker hears neither of the controller nor of all in-sync followers");
    }

    public int inSyncReplicaCount() {
        return leading().isr().size();
    }

    /// Compares the leader epoch that a client knows with the present one; -1 stands for a client
    /// that knows none.
    public Optional<PartitionError> checkEpoch(int clientsEpoch) {
        int epoch = leaderEpoch();
        if (clientsEpoch < 0 || clientsEpoch == epoch) {
            return Optional.empty();
        }
        return Optional.of(
                clientsEpoch < epoch
                        ? error(
                                ErrorCode.FENCED_LEADER_EPOCH,
                                "has leader epoch " + epoch + ", the request says " + clientsEpoch)
                        : error(
                                ErrorCode.UNKNOWN_LEADER_EPOCH,
                                "has leader epoch "
                                        + epoch
                                        + " here yet, the request says "
                                        + clientsEpoch));
    }

    /// An error of this partition; `what` ends a sentence that begins with its name.
    public PartitionError error(ErrorCode code, String what) {
        return new PartitionError(code, "Partition " + this + " " + what + ".");
    }

    // Appending.

    /// Appends checked batches. When the outcome is `Appended` or `Duplicate`, `pending` hears of
    /// the acknowledgement or of the failure, never before this returns; after any other outcome it
    /// hears nothing.
    public AppendOutcome append(
            PendingAppend pending, ByteBuffer batches, AppendOrigin origin, long nowMs) {
        try {
            return tryAppend(pending, batches, origin, nowMs);
        } catch (RuntimeException e) {
            becomeBroken(e);
            return new AppendOutcome.Offline(
                    "Partition " + this + " is offline because of a bug of the broker.");
        }
    }

    private AppendOutcome tryAppend(
            PendingAppend pending, ByteBuffer batches, AppendOrigin origin, long nowMs) {
        PartitionLog log = log();
        LeaderReplica leader = leading();
        if (frozen != null) {
            return new AppendOutcome.Offline(
                    "Partition " + this + " is moving to another data directory: try again.");
        }
        // Held before the log may take the bytes, and until it has let go of them.
        pending.holdMemory();
        boolean taken = false;
        try {
            AppendOutcome outcome = log.append(batches, leader.leaderEpoch(), origin, nowMs);
            taken = outcome instanceof AppendOutcome.Appended;
            onOutcome(outcome, pending, log, leader);
            return outcome;
        } finally {
            if (!taken) {
                pending.releaseMemory();
            }
        }
    }

    private void onOutcome(
            AppendOutcome outcome, PendingAppend pending, PartitionLog log, LeaderReplica leader) {
        switch (outcome) {
            case AppendOutcome.Appended appended -> {
                pending.endOffset = appended.lastOffset() + 1;
                appends.add(pending);
                leader.onAppended(log.logEndOffset());
            }
            case AppendOutcome.Duplicate duplicate -> {
                // It is answered when its original is where the request wants it.
                pending.endOffset = duplicate.lastOffset() + 1;
                appends.add(pending);
            }
            case AppendOutcome.OutOfOrderSequence _,
                    AppendOutcome.StaleProducerEpoch _,
                    AppendOutcome.StaleCoordinatorEpoch _,
                    AppendOutcome.TooLarge _,
                    AppendOutcome.UnexpectedOffset _,
                    AppendOutcome.StorageFull _,
                    AppendOutcome.Offline _ -> {}
        }
    }

    /// Whether the last batch that is known of the batch's producer is the one before it.
    public boolean followsOn(RecordBatch batch) {
        return switch (log().activeProducers()) {
            case LookupOutcome.Found(Collection<ProducerEntry> producers) ->
                    producers.stream()
                            .filter(producer -> producer.producerId() == batch.producerId())
                            .anyMatch(producer -> producer.precedes(batch));
            case LookupOutcome.Offline<?> _ -> true; // The append will say so.
        };
    }

    /// A duplicate changes nothing in the log, so no write will come that serves its queue: call at
    /// the end of a batch of appends with duplicates among them.
    public void settleDuplicates() {
        onWritten(log(), log().writtenEndOffset());
    }

    // Reading.

    /// `reader` hears when records at or behind `offset` become readable beyond the present end, or
    /// when the partition becomes unavailable.
    public void awaitReadable(Reader reader, long offset, boolean committedOnly) {
        long end = readableEndOffset(committedOnly);
        readers.addConsumer(reader, Math.max(offset, end), committedOnly);
    }

    /// `reader`, a follower, hears when records behind `offset` and beyond the present end are
    /// written, or when the partition becomes unavailable or gets a new epoch. Meanwhile it hears
    /// that the high watermark or the log start moved.
    public void awaitWritten(Reader reader, long offset) {
        readers.addFollower(reader, Math.max(offset, log().writtenEndOffset()));
    }

    /// `reader` does not wait any more; does nothing when it does not.
    public static void stopWaiting(Reader reader) {
        ReaderQueue queue = reader.queue;
        if (queue != null) {
            queue.remove(reader);
        }
    }

    // What the log tells.

    @Override
    public void onWritten(PartitionLog source, long writtenEndOffset) {
        appends.onWritten(writtenEndOffset);
        if (leader != null) {
            if (settings.log().flushPolicy() == FlushPolicy.PAGE_CACHE) {
                leader.onFlushed(writtenEndOffset, this);
            }
            appends.onHighWatermark(leader.highWatermark());
        }
        readers.onWritten(writtenEndOffset);
        tellMove();
        tellFollower();
    }

    @Override
    public void onFlushed(PartitionLog source, long flushedEndOffset) {
        if (leader != null) {
            leader.onFlushed(flushedEndOffset, this);
        }
        tellMove();
        tellFollower();
    }

    @Override
    public void onDropped(PartitionLog source, long fromOffset) {
        PartitionError full =
                error(
                        ErrorCode.KAFKA_STORAGE_ERROR,
                        "has no room on its disk: free some, and try again");
        appends.forgetUnwritten(fromOffset, full);
        if (leader != null) {
            leader.onDropped(fromOffset);
        }
        if (follower != null) {
            follower.onCut();
        }
        tellFollower();
    }

    @Override
    public void onOffline(PartitionLog source, String reason) {
        if (!gone) {
            becomeOffline(reason);
            if (source == log) {
                appends.forgetUnwritten(error(ErrorCode.KAFKA_STORAGE_ERROR, "is offline"));
                if (source.directory().offlineReason().isEmpty() && !broken) {
                    becomeDamaged();
                }
            }
        }
    }

    // What the leader core tells.

    @Override
    public void highWatermarkAdvanced(long highWatermark) {
        appends.onHighWatermark(highWatermark);
        readers.onHighWatermark(highWatermark);
    }

    @Override
    public void isrProposed(IsrProposal proposal) {
        surroundings.onProposal(this);
    }

    // Leading others.

    /// A follower, whose records are those of this log as far as they go, asks for what comes next.
    /// Refused when it holds no replica, or is not the incarnation that is known.
    public Optional<PartitionError> onFollowerFetch(FollowerFetch fetch) {
        LeaderReplica leader = leading();
        if (!leader.accepts(fetch.brokerId(), fetch.brokerEpoch())) {
            return Optional.of(
                    error(
                            ErrorCode.NOT_LEADER_OR_FOLLOWER,
                            "has no replica on broker %d of epoch %d"
                                    .formatted(fetch.brokerId(), fetch.brokerEpoch())));
        }
        if (fetch.fetchOffset() <= leader.logEndOffset()) {
            leader.onFollowerFetch(fetch, surroundings.nowMs(), this);
            serveDeletions();
        }
        return Optional.empty();
    }

    /// Records below `deletion`'s offset are gone from this log for good; it hears when they are
    /// gone from all living replicas, at once if they are.
    public void awaitDeleted(Deletion deletion) {
        readers.tellFollowers();
        deletions.add(deletion);
        serveDeletions();
    }

    /// `deletion` does not wait any more.
    public void stopWaiting(Deletion deletion) {
        deletions.remove(deletion);
    }

    /// The first offset that some living replica still has, -1 while that is not known.
    public long lowWatermark() {
        return leading().lowWatermark(log().logStartOffset());
    }

    private void serveDeletions() {
        if (leader != null && !deletions.isEmpty()) {
            deletions.onLowWatermark(lowWatermark());
        }
    }

    /// How far a follower is known to have come; -1 when it was not heard of.
    public long flushedEndOffsetOf(int followerId) {
        return leading().flushedEndOffset(followerId);
    }

    public Set<Integer> isr() {
        return leading().isr();
    }

    void checkLag() {
        if (leader != null) {
            leader.checkLag(surroundings.nowMs(), this);
            serveDeletions();
            if (isCutOff()) {
                appends.sendAway(cutOff());
            }
        }
    }

    Optional<IsrProposal> proposal() {
        return leader == null ? Optional.empty() : leader.proposal();
    }

    void onProposalRefused(IsrProposal refused) {
        if (leader != null) {
            leader.onRefused(refused, surroundings.nowMs(), this);
        }
    }

    // Following.

    /// `progress` is run whenever the follower may have more to do, until its role ends; then once
    /// more.
    public FollowerReplica follow(Runnable progress) {
        FollowerReplica following = follower;
        if (following == null) {
            throw new IllegalStateException(this + " does not follow");
        }
        followerProgress = progress;
        makeSafe();
        return following;
    }

    /// A follower asks for nothing more until all that it has is safe, so it does not wait for the
    /// next append.
    private void makeSafe() {
        if (safeEndOffset() < log().logEndOffset()) {
            log().flush();
        }
    }

    /// Takes what the leader sent: whole, checked batches with their offsets. They must follow on
    /// the log's end. Their memory is held until they are written.
    ///
    /// @param origin who wrote them there
    public AppendOutcome appendCopied(
            ByteBuffer batches, AppendOrigin origin, RequestMemory memory, long nowMs) {
        if (frozen != null) {
            return new AppendOutcome.Offline(this + " is moving to another data directory");
        }
        PendingAppend pending = new CopiedAppend(memory);
        pending.holdMemory();
        boolean taken = false;
        try {
            AppendOutcome outcome = log().appendCopied(batches, origin, nowMs);
            if (outcome instanceof AppendOutcome.Appended appended) {
                pending.endOffset = appended.lastOffset() + 1;
                appends.add(pending);
                taken = true;
            }
            return outcome;
        } finally {
            if (!taken) {
                pending.releaseMemory();
            }
        }
    }

    /// What the leader said of its offsets, after its records were appended.
    public void onLeaderOffsets(long leaderHighWatermark, long leaderLogStartOffset) {
        FollowerReplica following = follower;
        if (following != null) {
            long before = following.highWatermark();
            following.onAnswered(leaderHighWatermark, leaderLogStartOffset);
            highWatermarkKnown |= leaderHighWatermark <= log().logEndOffset();
            if (following.highWatermark() > before) {
                highWatermarkAdvanced(following.highWatermark());
            }
        }
    }

    /// The log's end was cut away, and with it all that had still to be written.
    void onCut() {
        cuts++;
        appends.forgetCopied();
    }

    /// How often the end was cut away: a copy that is being made of the log may hold what is gone.
    int cuts() {
        return cuts;
    }

    /// Records that a follower lacked when it last heard of its leader's high watermark.
    long lag() {
        return follower == null ? 0 : follower.lag();
    }

    private void tellFollower() {
        if (followerProgress != null) {
            followerProgress.run();
        }
    }

    // Moving to another directory.

    /// Takes no more appends until [#unfreeze]; `onProgress` is run whenever the log has come
    /// further or cannot be used any more. Everything else goes on.
    void freeze(Runnable onProgress) {
        frozen = onProgress;
    }

    void unfreeze() {
        frozen = null;
    }

    /// Whether the partition takes no appends for a moment, because it moves to another directory.
    public boolean isFrozen() {
        return frozen != null;
    }

    private void tellMove() {
        if (frozen != null) {
            frozen.run();
        }
    }

    /// Whether everything that was appended is written, and everybody knows.
    boolean hasWrittenAll() {
        return appends.areWritten();
    }

    /// `moved` holds what the log holds, and takes its place; the log goes away.
    void onMoved(PartitionLog moved) {
        PartitionLog former = log();
        log = moved;
        moved.updateConfig(settings.logOf(key.partition()));
        if (former.logStartOffset() > moved.logStartOffset()) {
            moved.advanceLogStartOffset(former.logStartOffset(), () -> {});
        }
        if (leader != null) {
            moved.assignEpoch(leader.leaderEpoch());
        }
        former.delete();
    }

    // Roles and states.

    void onOpened(PartitionLog opened) {
        check(log == null, "%s is opened twice", this);
        log = opened;
        lastHighWatermark = opened.notedHighWatermark().orElse(0);
    }

    void becomeOffline(String reason) {
        becomeUnavailable(
                ErrorCode.KAFKA_STORAGE_ERROR, "cannot be used because of its storage: " + reason);
    }

    /// A bug showed itself in this partition's state, or in what is done with it: nobody writes or
    /// reads it any more until the next start. Whoever waits is answered.
    void becomeBroken(RuntimeException bug) {
        PartitionLog present = log;
        broken = true;
        if (present != null) {
            present.becomeBroken(bug);
        } else {
            LOG.error("Partition {} goes offline because of a bug of the broker.", this, bug);
        }
        if (!gone) {
            becomeOffline("a bug of the broker, " + bug + ". Restart it");
        }
    }

    /// The log could not be opened. `clearAway` is run when the topic is deleted.
    void becomeUnopened(LoadOutcome.Failed failed, Runnable clearAway) {
        if (gone) {
            clearAway.run();
            return;
        }
        remains = clearAway;
        becomeOffline(failed.reason());
        if (failed.damaged()) {
            becomeDamaged();
        }
    }

    private void becomeDamaged() {
        damaged = true;
        surroundings.onDamaged(this);
    }

    /// Whether this replica is of no use although its data directory is: others should lead, and it
    /// be copied again.
    public boolean isDamaged() {
        return damaged;
    }

    /// Closes the log of a damaged replica, unless another thread is at work in its files: then it
    /// is to be asked again.
    void letGoOfDamaged() {
        PartitionLog present = log;
        if (present == null || !damaged || present.isAtWork()) {
            return;
        }
        log = null;
        present.close(() -> {});
    }

    /// Whether no log of it is open in this process.
    public boolean hasNoLog() {
        return log == null;
    }

    /// This broker leads under `state`'s epoch. The log must be open.
    void becomeLeader(PartitionState state) {
        PartitionLog log = log();
        LeaderReplica former = leader;
        int enoughBefore = minInSyncReplicas();
        replicationFactor = state.replicationFactor();
        Membership membership =
                new Membership(
                        state.partitionEpoch(), state.replicas(), new HashSet<>(state.isr()));
        if (former != null && former.leaderEpoch() == state.leaderEpoch()) {
            // The stricter bound first: nothing may be committed by the laxer one and the new ISR.
            if (minInSyncReplicas() > enoughBefore) {
                former.onMinInSyncReplicas(minInSyncReplicas(), this);
            }
            int inSyncBefore = former.isr().size();
            former.onMembership(membership, surroundings.nowMs(), this);
            metrics.isrChanged(inSyncBefore, former.isr().size());
            former.onMinInSyncReplicas(minInSyncReplicas(), this);
        } else {
            leaveRole();
            log.assignEpoch(state.leaderEpoch());
            LeaderReplica next =
                    new LeaderReplica(
                            new LeaderStart(
                                    brokerId,
                                    state.leaderEpoch(),
                                    membership,
                                    minInSyncReplicas(),
                                    log.logEndOffset(),
                                    safeEndOffset(),
                                    knownHighWatermark(log),
                                    surroundings.maxLagMs(),
                                    surroundings.certainMs(),
                                    surroundings.nowMs()),
                            others());
            leader = next;
            setUnavailable(null);
            next.begin(this);
        }
        if (state.replicas().size() > 1) {
            surroundings.onLeadingOthers(this);
        }
        serveDeletions();
    }

    private ActiveBrokers others() {
        return new ActiveBrokers() {
            @Override
            public long epochOf(int id) {
                return surroundings.epochOf(id);
            }

            @Override
            public long registeredEpochOf(int id) {
                return surroundings.registeredEpochOf(id);
            }

            @Override
            public boolean hasRoom(int id) {
                return surroundings.hasRoom(key, id);
            }

            @Override
            public boolean isBlind() {
                return surroundings.isBlind();
            }

            @Override
            public boolean isConfirmed() {
                return surroundings.isConfirmed();
            }
        };
    }

    /// Another broker leads, or none.
    void becomeNonLeader(PartitionState state) {
        if (state.hasLeader() && isFollowing() && leaderEpoch() == state.leaderEpoch()) {
            return;
        }
        becomeUnavailable(
                ErrorCode.NOT_LEADER_OR_FOLLOWER,
                state.hasLeader()
                        ? "is led by broker " + state.leader()
                        : "has no leader at present");
        if (state.hasLeader() && state.replicas().has(brokerId)) {
            follower =
                    new FollowerReplica(
                            state.leaderEpoch(), new HostedLog(this), knownHighWatermark(log()));
        }
    }

    private long knownHighWatermark(PartitionLog log) {
        return Math.min(Math.max(lastHighWatermark, log.logStartOffset()), log.logEndOffset());
    }

    /// The topic was deleted.
    void becomeGone() {
        gone = true;
        becomeUnavailable(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "was deleted");
        if (log != null) {
            log.delete();
            log = null;
        } else if (remains != null) {
            remains.run();
        }
        appends.forgetUnwritten(error(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "was deleted"));
    }

    /// Notes the high watermark for later starts, if it depends on other replicas. Returns whether
    /// it does.
    boolean noteHighWatermark() {
        boolean depends = follower != null || (leader != null && replicationFactor > 1);
        if (depends) {
            log().noteHighWatermark(highWatermark());
        }
        return depends;
    }

    /// The broker stops.
    void becomeClosed() {
        noteHighWatermark();
        becomeUnavailable(ErrorCode.NOT_LEADER_OR_FOLLOWER, "is on a broker that is stopping");
    }

    boolean isGone() {
        return gone;
    }

    void updateSettings(TopicSettings newSettings) {
        settings = newSettings;
        if (log != null) {
            log.updateConfig(newSettings.logOf(key.partition()));
        }
        if (leader != null) {
            leader.onMinInSyncReplicas(minInSyncReplicas(), this);
            leader.onFlushed(safeEndOffset(), this);
        }
        if (follower != null) {
            makeSafe();
        }
        tellFollower();
    }

    /// In-sync replicas without which no write with `acks=all` is taken.
    public int minInSyncReplicas() {
        return settings.minInSyncReplicasOf(replicationFactor);
    }

    /// Exclusive end of what counts as safe here.
    long safeEndOffset() {
        PartitionLog log = log();
        return settings.log().flushPolicy() == FlushPolicy.PAGE_CACHE
                ? log.writtenEndOffset()
                : log.flushedEndOffset();
    }

    /// Everybody who waits hears it, appends with the error, readers so that they ask again. What
    /// the log has still to write stays in its queue, because that holds the memory.
    private void becomeUnavailable(ErrorCode code, String what) {
        PartitionError error = error(code, what);
        setUnavailable(error);
        leaveRole();
        appends.fail(error);
        deletions.endAll();
        wakeReaders();
        tellMove();
    }

    /// All fields of a role go with it; whoever fetches for the follower, or waits as a follower
    /// for the leader, hears it.
    private void leaveRole() {
        if (leader != null || follower != null) {
            lastHighWatermark = highWatermark();
            highWatermarkKnown |= isSettled();
        }
        leader = null;
        follower = null;
        Runnable progress = followerProgress;
        followerProgress = null;
        if (progress != null) {
            progress.run();
        }
        readers.wakeFollowers();
    }

    void wakeReaders() {
        readers.wakeAll();
    }

    private void setUnavailable(@Nullable PartitionError error) {
        boolean wasOffline = isOffline();
        unavailable = error;
        if (wasOffline != isOffline()) {
            metrics.partitionsOffline(wasOffline ? -1 : 1);
        }
    }

    private boolean isOffline() {
        return unavailable != null && unavailable.code() == ErrorCode.KAFKA_STORAGE_ERROR;
    }

    private LeaderReplica leading() {
        LeaderReplica present = leader;
        if (present == null) {
            throw new IllegalStateException(this + " is not led by this broker");
        }
        return present;
    }

    @Override
    public String toString() {
        return topic + "-" + key.partition();
    }
}
