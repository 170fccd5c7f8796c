package dev.ottla.broker.fetch;

import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.broker.partition.Lookup;
import dev.ottla.broker.partition.PartitionError;
import dev.ottla.broker.shard.Shard;
import dev.ottla.broker.shard.ShardMessage;
import dev.ottla.broker.shard.Timer;
import dev.ottla.log.LogSlice;
import dev.ottla.log.LookupOutcome;
import dev.ottla.log.segment.AbortedTransaction;
import dev.ottla.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What one shard does for a fetch request. Owned by the shard once it is posted.
final class FetchShardPart extends ShardMessage {
    private static final Logger LOG = LoggerFactory.getLogger(FetchShardPart.class);

    /// A follower that waits for records hears so late that the high watermark or the log start
    /// moved: where records come and go all the time, these bring the news, and no request is made
    /// for them alone.
    private static final long NEWS_DELAY_MS = 5;

    private final FetchOperation operation;
    private final ShardFetches owner;
    private final List<FetchPart> parts = new ArrayList<>(1);
    private final Timer timeout = new AnswerTimer();
    private final Timer news = new AnswerTimer();
    private boolean keepsTime;
    private boolean collectDue;
    private boolean collected;
    private boolean reported;

    FetchShardPart(FetchOperation operation, ShardFetches owner) {
        this.operation = operation;
        this.owner = owner;
    }

    void add(FetchPart part) {
        part.shardPart = this;
        parts.add(part);
    }

    /// This part watches the request's time-out.
    void keepTime() {
        keepsTime = true;
    }

    boolean isOf(ShardFetches fetches) {
        return owner == fetches;
    }

    Shard shard() {
        return owner.shard();
    }

    /// The first look.
    @Override
    protected void run() {
        if (operation.isCollecting()) {
            collect();
            return;
        }
        boolean answerNow = false;
        int bytes = 0;
        for (FetchPart part : parts) {
            bytes += read(part);
            answerNow |= part.mustBeAnswered();
        }
        if (operation.sawEnough(bytes) || answerNow || owner.hasWaitingEnded()) {
            operation.startCollecting(this);
        }
        if (operation.isCollecting()) {
            finish();
        } else {
            await();
        }
    }

    /// Waits on every partition for more than there is now.
    private void await() {
        for (FetchPart part : parts) {
            LogSlice slice = part.slice;
            part.countedBytes = slice == null ? 0 : slice.sizeBytes();
            letGo(part);
            if (lookup(part) instanceof Lookup.Found found) {
                await(part, found.partition());
            }
        }
        if (keepsTime) {
            shard().scheduleMs(timeout, operation.limits().maxWaitMs());
        }
    }

    private void await(FetchPart part, HostedPartition partition) {
        long offset = part.target().fetchOffset();
        if (operation.limits().asker() instanceof Asker.Follower) {
            partition.awaitWritten(part, offset);
            onNews(part, partition);
        } else {
            partition.awaitReadable(part, offset, operation.limits().committedOnly());
        }
    }

    private Lookup lookup(FetchPart part) {
        return operation.limits().asker() instanceof Asker.Consumer(boolean leaderOnly, _)
                        && !leaderOnly
                ? owner.partitions().lookupReadable(part.key())
                : owner.partitions().lookup(part.key());
    }

    /// Something moved that a waiting follower wants to hear of.
    void onNews(FetchPart part, HostedPartition partition) {
        if (!collectDue && !collected && !news.isScheduled() && part.hasNews(partition)) {
            shard().scheduleMs(news, NEWS_DELAY_MS);
        }
    }

    /// More of a partition can be read, or it became unavailable.
    void onReadable(FetchPart part, HostedPartition partition) {
        if (collectDue || collected) {
            return;
        }
        if (partition.isLeading() && isThrottled(part) && !owner.hasWaitingEnded()) {
            await(part, partition);
            return;
        }
        if (partition.isLeading()
                && operation.limits().minBytes() > 1
                && !owner.hasWaitingEnded()) {
            int bytes = read(part);
            letGo(part);
            int more = Math.max(0, bytes - part.countedBytes);
            part.countedBytes += more;
            if (!operation.sawEnough(more) && !part.mustBeAnswered()) {
                await(part, partition);
                return;
            }
        }
        operation.startCollecting(this);
        collectDue = true;
        owner.collectAtTurnEnd(this);
    }

    /// Reads everything for the answer.
    void collectSafely() {
        try {
            collect();
        } catch (RuntimeException e) {
            onFailure(e);
        }
    }

    private void collect() {
        if (collected) {
            return;
        }
        for (FetchPart part : parts) {
            HostedPartition.stopWaiting(part);
            read(part);
        }
        finish();
    }

    /// What the parts hold is the answer of this shard. What may have to come from the disk is
    /// brought up elsewhere first: neither this shard nor the loop that sends it waits for it.
    private void finish() {
        collected = true;
        cancelTimers();
        List<FetchPart> cold = new ArrayList<>(0);
        long bytes = 0;
        for (FetchPart part : parts) {
            LogSlice slice = part.slice;
            if (slice != null) {
                bytes += slice.sizeBytes();
                if (operation.limits().asker() instanceof Asker.Follower(int follower, _, _)) {
                    owner.throttle().taken(part.key(), follower, slice.sizeBytes());
                }
                if (owner.mayReadAhead()) {
                    SliceReader.readAhead(part).ifPresent(owner::readAhead);
                }
                if (part.cold) {
                    cold.add(part);
                } else {
                    toPayload(part);
                }
            } else if (part.unsettled) {
                part.fail(
                        operation.limits().unsettled(),
                        "The leader has just begun and does not know yet what may be read.");
            }
        }
        if (bytes > 0) {
            BrokerMetrics metrics = owner.partitions().metrics();
            if (operation.limits().asker() instanceof Asker.Follower) {
                metrics.copiedOut(bytes);
            } else {
                metrics.read(bytes);
            }
        }
        if (cold.isEmpty()) {
            report();
        } else if (owner.tryReadCold(() -> finishCold(cold))) {
            reported = true; // By then.
        } else {
            cold.forEach(this::toPayload);
            report();
        }
    }

    private void toPayload(FetchPart part) {
        SliceReader.toPayload(part, operation.limits().slowClient(), owner.memory());
    }

    private void finishCold(List<FetchPart> cold) {
        try {
            SliceReader.awaitSyncPause(cold.getFirst());
            for (FetchPart part : cold) {
                SliceReader.warm(part);
                toPayload(part);
            }
        } catch (RuntimeException e) {
            LOG.error("A fetch request failed while the disk was read.", e);
            giveUp(cold);
        } finally {
            operation.shardDone();
        }
    }

    /// The operation waits for each of its shards, so each reports once, whatever happens.
    private void report() {
        if (!reported) {
            reported = true;
            operation.shardDone();
        }
    }

    /// Reads one partition as far as the answer has room; returns the bytes found.
    private int read(FetchPart part) {
        return switch (lookup(part)) {
            case Lookup.Failed failed -> {
                part.fail(failed.error());
                yield 0;
            }
            case Lookup.Found found -> read(part, found.partition());
        };
    }

    private int read(FetchPart part, HostedPartition partition) {
        int bytes = readChecked(part, partition);
        PartitionReads.tellEnds(part, partition, operation.limits().asker());
        return bytes;
    }

    private int readChecked(FetchPart part, HostedPartition partition) {
        Optional<PartitionError> epochError =
                partition.checkEpoch(part.target().currentLeaderEpoch());
        if (epochError.isPresent()) {
            part.fail(epochError.get());
            return 0;
        }
        part.found(partition);
        if (PartitionReads.divergesOrFails(part, partition)
                || PartitionReads.followerRefused(part, partition, operation.limits().asker())) {
            return 0;
        }
        if (isNearerToAnother(part, partition) || isThrottled(part)) {
            return 0;
        }
        int bytes = PartitionReads.read(part, partition, operation);
        if (operation.limits().committedOnly() && !part.hasFailed()) {
            return addAborted(part, partition, bytes);
        }
        return bytes;
    }

    /// Whether a follower has to wait for records that are there, which others would wait for too.
    private boolean isThrottled(FetchPart part) {
        return operation.limits().asker() instanceof Asker.Follower(int follower, _, _)
                && owner.throttle().waitMs(part.key(), follower) > 0;
    }

    /// A consumer that says where it is may be sent to a nearer replica, if the broker does that.
    private boolean isNearerToAnother(FetchPart part, HostedPartition partition) {
        if (!(operation.limits().asker() instanceof Asker.Consumer(_, String rack))
                || rack.isEmpty()
                || !owner.partitions().choosesByRack()
                || !partition.isLeading()) {
            return false;
        }
        Optional<Integer> nearest =
                NearestReplica.find(
                        partition,
                        owner.partitions().image(),
                        owner.partitions().brokerId(),
                        rack,
                        part.target().fetchOffset());
        nearest.ifPresent(part::preferred);
        return nearest.isPresent();
    }

    /// Without them the reader would take aborted records for committed ones.
    private int addAborted(FetchPart part, HostedPartition partition, int bytes) {
        if (bytes == 0) {
            part.aborted(List.of());
            return 0;
        }
        return switch (partition
                .log()
                .abortedTransactions(part.target().fetchOffset(), partition.lastStableOffset())) {
            case LookupOutcome.Found<List<AbortedTransaction>>(var aborted) -> {
                part.aborted(aborted);
                yield bytes;
            }
            case LookupOutcome.Offline<?> offline -> {
                letGo(part);
                part.fail(ErrorCode.KAFKA_STORAGE_ERROR, offline.reason());
                yield 0;
            }
        };
    }

    private void letGo(FetchPart part) {
        LogSlice slice = part.slice;
        if (slice != null) {
            part.slice = null;
            operation.take(-slice.sizeBytes());
            slice.release();
            operation.giveFirstBatchBack();
        }
    }

    @Override
    protected void onFailure(RuntimeException failure) {
        LOG.error("A fetch request failed in shard {}.", shard().index(), failure);
        if (reported) {
            return; // The parts have their next owner.
        }
        try {
            collected = true;
            cancelTimers();
            parts.forEach(HostedPartition::stopWaiting);
            giveUp(parts);
            operation.startCollecting(this);
        } catch (RuntimeException e) {
            LOG.error("A fetch request that failed could not be given up.", e);
        } finally {
            report();
        }
    }

    private void cancelTimers() {
        shard().timers().cancel(timeout);
        shard().timers().cancel(news);
    }

    private void giveUp(List<FetchPart> failed) {
        for (FetchPart part : failed) {
            letGo(part);
            part.releaseRecords();
            part.fail(ErrorCode.UNKNOWN_SERVER_ERROR, "The partition could not be read.");
        }
    }

    /// Ends the waiting.
    private final class AnswerTimer extends Timer {
        @Override
        protected void onTimeout() {
            operation.startCollecting(FetchShardPart.this);
            collect();
        }

        @Override
        protected void onFailure(RuntimeException failure) {
            FetchShardPart.this.onFailure(failure);
        }
    }
}
