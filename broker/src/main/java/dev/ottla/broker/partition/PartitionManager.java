package dev.ottla.broker.partition;

import static dev.ottla.wire.Check.check;

import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.settings.BrokerConfig;
import dev.ottla.broker.settings.TopicSettings;
import dev.ottla.broker.shard.Shard;
import dev.ottla.broker.shard.Shards;
import dev.ottla.config.ReplicationKeys;
import dev.ottla.log.DataDirectory;
import dev.ottla.log.LoadOutcome;
import dev.ottla.log.LogShard;
import dev.ottla.log.PartitionId;
import dev.ottla.log.PartitionLog;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicDelta;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The partitions of one shard. Owned by the shard's thread, which is told of each new image before
/// any request can have seen it.
///
/// A partition that is new in the cluster takes nothing here until it is first used; one with
/// records on disk is opened when the broker starts.
public final class PartitionManager {
    /// Hears of the partitions of a shard; on its thread.
    public interface Listener {
        /// This broker leads `partition` from now on, or leads it under a new epoch.
        default void onLeading(HostedPartition partition) {}

        /// This broker leads `partition` no longer; it may be gone.
        default void onNotLeading(HostedPartition partition) {}

        /// `partition`'s log is open and follows its leader from now on, or follows under a new
        /// epoch.
        default void onFollowing(HostedPartition partition, PartitionState state) {}

        /// The log of `partition` is damaged, and nothing else of its data directory.
        default void onDamaged(HostedPartition partition) {}

        /// The cluster changed, and the partitions have followed.
        default void onImage(ImageDelta delta, ClusterImage image) {}

        /// All logs are about to be closed.
        default void onClosing() {}
    }

    /// What all managers of a broker share.
    ///
    /// @param brokerId this broker
    /// @param directories the data directories by id
    /// @param clock wall-clock time
    /// @param metrics counts what is appended and read
    public record Surroundings(
            int brokerId,
            Shards shards,
            Map<Uuid, DataDirectory> directories,
            BrokerConfig config,
            InstantSource clock,
            BrokerMetrics metrics) {
        public Surroundings {
            directories = Map.copyOf(directories);
        }
    }

    /// Kafka's name of the one rule there is besides reading from the leader.
    private static final String RACK_AWARE =
            "org.apache.kafka.common.replica.RackAwareReplicaSelector";

    private static final Logger LOG = LoggerFactory.getLogger(PartitionManager.class);

    private final Shard shard;
    private final LogShard logs;
    private final Surroundings surroundings;
    private final List<Listener> listeners = new ArrayList<>();
    private final Map<PartitionKey, HostedPartition> partitions = new HashMap<>();
    private final IsrUpdates isrUpdates;
    private final Refusals refusals = new Refusals();
    private final boolean choosesByRack;

    /// Written by the shard when a partition comes or goes, read by the metrics page.
    private volatile int count;

    private ClusterImage image = ClusterImage.EMPTY;
    private boolean closing;
    private boolean outOfTouch;
    private boolean blind;
    private OptionalLong confirmedUntilNs = OptionalLong.empty();

    public PartitionManager(Shard shard, LogShard logs, Surroundings surroundings) {
        this.shard = shard;
        this.logs = logs;
        this.surroundings = surroundings;
        this.isrUpdates = new IsrUpdates(this, surroundings.config().broker());
        this.choosesByRack =
                surroundings
                        .config()
                        .broker()
                        .optional(ReplicationKeys.REPLICA_SELECTOR_CLASS)
                        .filter(RACK_AWARE::equals)
                        .isPresent();
    }

    /// Whether consumers are sent to replicas in their rack (`replica.selector.class`).
    public boolean choosesByRack() {
        return choosesByRack;
    }

    /// Whom leaders ask for changes of their ISRs.
    public void askController(IsrChanges controller) {
        isrUpdates.use(controller);
    }

    /// Whether this broker's session with the controller must be over, because none has answered
    /// for so long.
    public void outOfTouch(boolean is) {
        outOfTouch = is;
    }

    boolean isOutOfTouch() {
        return outOfTouch;
    }

    /// Whether this broker cannot take what the controller decides.
    public void blind(boolean is) {
        blind = is;
    }

    boolean isBlind() {
        return blind;
    }

    /// Until `untilNs`, on the clock of the shards, nobody is elected in this broker's place for
    /// its silence. From the first call on that has to be said again and again.
    public void confirmed(long untilNs) {
        confirmedUntilNs = OptionalLong.of(untilNs);
    }

    /// Whether a controller counts on this broker. A broker alone has nobody who could take its
    /// place.
    boolean isConfirmed() {
        return !outOfTouch
                && (confirmedUntilNs.isEmpty() || shard.nowNs() - confirmedUntilNs.getAsLong() < 0);
    }

    /// What producers were refused of late.
    public Refusals refusals() {
        return refusals;
    }

    public int brokerId() {
        return surroundings.brokerId();
    }

    /// Ids of this broker's data directories, those that failed included.
    public Set<Uuid> directories() {
        return surroundings.directories().keySet();
    }

    /// Wall-clock time.
    public long nowMs() {
        return surroundings.clock().millis();
    }

    /// Whether this shard owns the partition.
    public boolean owns(PartitionKey key) {
        return surroundings.shards().of(key.topicId(), key.partition()) == shard;
    }

    public BrokerMetrics metrics() {
        return surroundings.metrics();
    }

    /// The settings in force.
    public BrokerConfig config() {
        return surroundings.config();
    }

    /// How many shards the broker has.
    public int shardCount() {
        return surroundings.shards().count();
    }

    public Shard shard() {
        return shard;
    }

    /// The image that this shard works with.
    public ClusterImage image() {
        return image;
    }

    /// The open partitions, in no order.
    public Collection<HostedPartition> partitions() {
        return Collections.unmodifiableCollection(partitions.values());
    }

    /// How many there are. Any thread.
    public int count() {
        return count;
    }

    /// Records that the follower lacks that lacks most. On the shard's thread.
    public long maxLag() {
        return partitions.values().stream().mapToLong(HostedPartition::lag).max().orElse(0);
    }

    /// `listener` hears from now on.
    public void addListener(Listener listener) {
        listeners.add(listener);
    }

    /// The partition, if this broker leads it. A partition that was never used is opened by this.
    public Lookup lookup(Uuid topicId, int number) {
        return lookup(new PartitionKey(topicId, number));
    }

    /// The partition for a consumer that need not read from the leader: a follower that has a log
    /// will do (KIP-392).
    public Lookup lookupReadable(PartitionKey key) {
        HostedPartition partition = partitions.get(key);
        return partition != null && partition.isFollowing()
                ? new Lookup.Found(partition)
                : lookup(key);
    }

    /// The partition, opened by this if it was never used: this broker follows, and records have
    /// come for it. Empty when the cluster knows better by now, or the broker stops.
    public Optional<HostedPartition> openFollower(PartitionKey key) {
        HostedPartition present = partitions.get(key);
        Optional<TopicState> topic = image.topic(key.topicId());
        Optional<PartitionState> state = topic.flatMap(known -> known.partition(key.partition()));
        if (present != null || closing || state.isEmpty() || topic.isEmpty()) {
            return Optional.ofNullable(present);
        }
        if (!isFollowed(state.get())) {
            return Optional.empty();
        }
        HostedPartition opened = host(topic.get(), key);
        guarded(opened, () -> openNew(opened, topic.get(), state.get()));
        return Optional.of(opened);
    }

    /// Whether this broker holds a replica that another one leads.
    public boolean isFollowed(PartitionState state) {
        return state.hasLeader()
                && state.leader() != surroundings.brokerId()
                && state.replicas().has(surroundings.brokerId());
    }

    /// Whether this broker leads a partition, or will when its log is open.
    public boolean isLedHere(PartitionKey key) {
        return image.topic(key.topicId())
                .flatMap(topic -> topic.partition(key.partition()))
                .filter(state -> state.leader() == surroundings.brokerId())
                .isPresent();
    }

    /// The partition if it is open here, or being opened, whatever its role.
    public Optional<HostedPartition> hosted(PartitionKey key) {
        return Optional.ofNullable(partitions.get(key));
    }

    /// As above.
    public Lookup lookup(PartitionKey key) {
        HostedPartition partition = partitions.get(key);
        if (partition != null) {
            return found(partition);
        }
        if (closing) {
            return failed(ErrorCode.NOT_LEADER_OR_FOLLOWER, "This broker is stopping.");
        }
        Optional<TopicState> topic = image.topic(key.topicId());
        Optional<PartitionState> state = topic.flatMap(known -> known.partition(key.partition()));
        if (topic.isEmpty() || state.isEmpty()) {
            String name = topic.map(TopicState::name).orElse(key.topicId().toString());
            return failed(
                    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                    "There is no partition " + key.partition() + " of topic " + name + ".");
        }
        if (state.get().leader() != surroundings.brokerId()) {
            return failed(
                    ErrorCode.NOT_LEADER_OR_FOLLOWER,
                    "Partition %s-%d is not led by this broker, but by %d."
                            .formatted(topic.get().name(), key.partition(), state.get().leader()));
        }
        HostedPartition opened = host(topic.get(), key);
        guarded(opened, () -> openNew(opened, topic.get(), state.get()));
        return found(opened);
    }

    private static Lookup found(HostedPartition partition) {
        Optional<PartitionError> unavailable = partition.unavailable();
        return unavailable.isPresent()
                ? new Lookup.Failed(unavailable.get())
                : new Lookup.Found(partition);
    }

    private static Lookup failed(ErrorCode code, String message) {
        return new Lookup.Failed(new PartitionError(code, message));
    }

    // Opening.

    /// Begins: opens every partition of `stored` that this shard owns, in the background. `image`
    /// names this broker's present registration.
    public void start(ClusterImage newImage, Collection<PartitionKey> stored) {
        if (newImage.version().offset() > image.version().offset()) {
            image = newImage; // Unless a change has come before.
        }
        for (PartitionKey key : stored) {
            Optional<TopicState> topic = image.topic(key.topicId());
            Optional<PartitionState> state =
                    topic.flatMap(known -> known.partition(key.partition()));
            if (topic.isPresent()
                    && state.isPresent()
                    && state.get().replicas().has(surroundings.brokerId())) {
                HostedPartition partition = host(topic.get(), key);
                guarded(partition, () -> openStored(partition, topic.get(), state.get()));
            }
        }
    }

    /// What fails inside one partition's code takes that partition offline, and no other.
    public void guarded(HostedPartition partition, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            partition.becomeBroken(e);
        }
    }

    private HostedPartition host(TopicState topic, PartitionKey key) {
        check(
                surroundings.shards().of(key.topicId(), key.partition()) == shard,
                "partition %s-%s belongs to another shard than %s",
                topic.name(),
                key.partition(),
                shard.index());
        HostedPartition partition =
                new HostedPartition(
                        key,
                        topic.name(),
                        surroundings.brokerId(),
                        surroundings.config().topic(topic, image),
                        surroundings.metrics(),
                        isrUpdates);
        partitions.put(key, partition);
        count = partitions.size();
        return partition;
    }

    private void openStored(HostedPartition partition, TopicState topic, PartitionState state) {
        Optional<DataDirectory> directory = directoryOf(partition, state);
        if (directory.isPresent()) {
            directory
                    .get()
                    .load(
                            id(partition, topic),
                            partition.settings().logOf(partition.key().partition()),
                            logs,
                            partition,
                            surroundings.clock().millis(),
                            outcome ->
                                    guarded(
                                            partition,
                                            () -> opened(partition, directory.get(), outcome)));
        }
    }

    private void openNew(HostedPartition partition, TopicState topic, PartitionState state) {
        Optional<DataDirectory> directory = directoryOf(partition, state);
        if (directory.isPresent()) {
            opened(
                    partition,
                    directory.get(),
                    directory
                            .get()
                            .loadNow(
                                    id(partition, topic),
                                    partition.settings().logOf(partition.key().partition()),
                                    logs,
                                    partition,
                                    surroundings.clock().millis()));
        }
    }

    private static PartitionId id(HostedPartition partition, TopicState topic) {
        return new PartitionId(topic.id(), topic.name(), partition.key().partition());
    }

    private Optional<DataDirectory> directoryOf(HostedPartition partition, PartitionState state) {
        Uuid id = state.directoryOf(surroundings.brokerId());
        Optional<DataDirectory> directory = Optional.ofNullable(surroundings.directories().get(id));
        if (directory.isEmpty()) {
            partition.becomeOffline("its data directory " + id + " is not there");
        }
        return directory;
    }

    private void opened(HostedPartition partition, DataDirectory directory, LoadOutcome outcome) {
        switch (outcome) {
            case LoadOutcome.Failed failed ->
                    partition.becomeUnopened(failed, () -> directory.deleteUnopened(failed.id()));
            case LoadOutcome.Ready ready -> {
                if (partition.isGone()) {
                    ready.log().delete();
                    return;
                }
                partition.onOpened(ready.log());
                image.partition(partition.key().topicId(), partition.key().partition())
                        .ifPresent(state -> takeRole(partition, state));
            }
        }
    }

    void tellDamaged(HostedPartition partition) {
        listeners.forEach(listener -> listener.onDamaged(partition));
    }

    /// What is here of a replica is of no use, and it counts for nothing in the cluster: it is put
    /// away, so that the replica can be copied again. Returns whether nothing is hosted any more;
    /// it is to be tried again while a log of it is open.
    public boolean abandon(PartitionKey key) {
        HostedPartition partition = partitions.get(key);
        if (partition == null) {
            return true;
        }
        if (!partition.hasNoLog()) {
            partition.letGoOfDamaged();
            return false; // Its close is a task of this shard.
        }
        PartitionId id = new PartitionId(key.topicId(), partition.topic(), key.partition());
        try {
            for (DataDirectory directory : surroundings.directories().values()) {
                directory.keepAside(id);
            }
        } catch (IOException e) {
            LOG.error("Partition {} cannot be put away to be copied again.", partition, e);
            return false;
        }
        partitions.remove(key);
        count = partitions.size();
        partition.becomeClosed();
        return true;
    }

    private void takeRole(HostedPartition partition, PartitionState state) {
        boolean led = partition.isLeading();
        if (state.leader() == surroundings.brokerId()) {
            boolean newEpoch = !led || partition.leaderEpoch() != state.leaderEpoch();
            partition.becomeLeader(state);
            if (newEpoch) {
                tellLeading(partition);
            }
        } else {
            int followed = partition.isFollowing() ? partition.leaderEpoch() : -1;
            partition.becomeNonLeader(state);
            if (led) {
                tellNotLeading(partition);
            }
            if (partition.isFollowing() && partition.leaderEpoch() != followed) {
                listeners.forEach(listener -> listener.onFollowing(partition, state));
            }
        }
    }

    /// Those who write to a partition by themselves hear nothing of it while it is frozen.
    private void tellLeading(HostedPartition partition) {
        if (!partition.isFrozen()) {
            listeners.forEach(listener -> listener.onLeading(partition));
        }
    }

    private void tellNotLeading(HostedPartition partition) {
        if (!partition.isFrozen()) {
            listeners.forEach(listener -> listener.onNotLeading(partition));
        }
    }

    /// The partition takes no appends for a moment: to those who write to it by themselves it is as
    /// if this broker led it no longer.
    void freeze(HostedPartition partition, Runnable onProgress) {
        if (partition.isLeading()) {
            tellNotLeading(partition);
        }
        partition.freeze(onProgress);
    }

    void unfreeze(HostedPartition partition) {
        if (partition.isFrozen()) {
            partition.unfreeze();
            if (partition.isLeading()) {
                tellLeading(partition);
            }
        }
    }

    /// The log of `partition` is now in another directory.
    void onMoved(HostedPartition partition, PartitionLog log) {
        if (partition.isGone()) {
            log.delete();
            return;
        }
        partition.onMoved(log);
        if (!partition.isLeading()) {
            image.partition(partition.key().topicId(), partition.key().partition())
                    .ifPresent(state -> takeRole(partition, state));
        }
    }

    // Metadata.

    /// The cluster changed.
    public void onImage(ImageDelta delta, ClusterImage newImage) {
        image = newImage;
        delta.deletedTopics().values().forEach(this::onDeleted);
        for (TopicDelta topic : delta.changedTopics().values()) {
            topic.changedPartitions().forEach((number, state) -> onChanged(topic, number, state));
        }
        for (ConfigResource resource : delta.changedConfigs()) {
            if (resource.type() == ConfigResource.Type.TOPIC) {
                image.topic(resource.name()).ifPresent(this::updateSettings);
            }
        }
        listeners.forEach(listener -> listener.onImage(delta, newImage));
    }

    /// The broker's own settings changed, on which those of topics rest.
    public void onBrokerConfig() {
        for (HostedPartition partition : partitions.values()) {
            image.topic(partition.key().topicId())
                    .ifPresent(topic -> updateSettings(partition, topic));
        }
    }

    private void onDeleted(TopicState topic) {
        for (int number = 0; number < topic.partitionCount(); number++) {
            onGone(new PartitionKey(topic.id(), number));
        }
    }

    /// The topic, or this broker's replica, is no more: what is here of it goes away.
    private void onGone(PartitionKey key) {
        HostedPartition partition = partitions.remove(key);
        count = partitions.size();
        if (partition != null) {
            boolean led = partition.isLeading();
            guarded(partition, partition::becomeGone);
            if (led) {
                tellNotLeading(partition);
            }
        }
    }

    private void onChanged(TopicDelta topic, int number, PartitionState state) {
        PartitionKey key = new PartitionKey(topic.id(), number);
        if (!state.replicas().has(surroundings.brokerId())) {
            onGone(key);
            return;
        }
        HostedPartition partition = partitions.get(key);
        if (partition != null && partition.isUsable()) {
            guarded(partition, () -> takeRole(partition, state));
        }
    }

    private void updateSettings(TopicState topic) {
        for (int number = 0; number < topic.partitionCount(); number++) {
            HostedPartition partition = partitions.get(new PartitionKey(topic.id(), number));
            if (partition != null) {
                updateSettings(partition, topic);
            }
        }
    }

    private void updateSettings(HostedPartition partition, TopicState topic) {
        TopicSettings settings = surroundings.config().topic(topic, image);
        guarded(partition, () -> partition.updateSettings(settings));
    }

    // Upkeep.

    /// Removes old segments of all partitions as their settings say.
    public void applyRetention() {
        long nowMs = surroundings.clock().millis();
        for (HostedPartition partition : partitions.values()) {
            if (partition.isLeading() || partition.isFollowing()) {
                guarded(
                        partition,
                        () -> partition.log().applyRetention(nowMs, partition.highWatermark()));
            }
        }
    }

    /// Forgets producers that were silent for too long.
    public void expireProducers() {
        long nowMs = surroundings.clock().millis();
        for (HostedPartition partition : partitions.values()) {
            guarded(
                    partition,
                    () -> partition.openLog().ifPresent(log -> log.removeExpiredProducers(nowMs)));
        }
    }

    /// Notes high watermarks for later starts: until the replicas that decide on them have found
    /// each other, consumers may read up to there.
    public void noteHighWatermarks() {
        boolean noted = false;
        for (HostedPartition partition : partitions.values()) {
            noted |= partition.noteHighWatermark();
        }
        if (noted) {
            surroundings.directories().values().forEach(DataDirectory::checkpoint);
        }
    }

    /// Closes idle files, syncs what waited too long, advances recovery points.
    public void sweepLogs() {
        logs.sweep(surroundings.clock().millis());
    }

    /// Ends the logs' turn; to be called at the end of each turn of the shard.
    public void endTurn() {
        if (logs.hasWork()) {
            logs.endTurn(surroundings.clock().millis());
        }
    }

    /// All who wait for more to read hear that they should look again.
    public void wakeReaders() {
        for (HostedPartition partition : List.copyOf(partitions.values())) {
            partition.wakeReaders();
        }
    }

    /// Closes all logs in order: everything appended becomes durable. Requests find no partition
    /// from now on. `done` runs on the shard's thread.
    public void close(Runnable done) {
        listeners.forEach(Listener::onClosing);
        List<PartitionLog> open = new ArrayList<>();
        for (HostedPartition partition : partitions.values()) {
            partition.openLog().ifPresent(open::add);
            guarded(partition, partition::becomeClosed);
        }
        partitions.clear();
        closing = true;
        if (open.isEmpty()) {
            done.run();
            return;
        }
        int[] left = {open.size()};
        for (PartitionLog log : open) {
            log.close(() -> {
                if (--left[0] == 0) {
                    done.run();
                }
            });
        }
    }
}
