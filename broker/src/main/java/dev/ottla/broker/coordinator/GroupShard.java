package dev.ottla.broker.coordinator;

import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.broker.partition.Lookup;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.shard.Shard;
import dev.ottla.broker.shard.Timer;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.GroupKeys;
import dev.ottla.group.GroupConfigs;
import dev.ottla.group.TopicChanges;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.Reply;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.record.Compression;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The group coordinators of one shard: one for each partition of `__consumer_offsets` that this
/// broker leads there. Owned by the shard's thread.
final class GroupShard implements GroupEnvironment, PartitionManager.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(GroupShard.class);
    private static final long FIRST_PAUSE_MS = 500;
    private static final int MAX_PAUSE_DOUBLINGS = 6;
    private static final long FORGET_FAILURES_MS = 600_000;

    private final PartitionManager partitions;
    private final GroupCoordinatorParts parts;
    private final GroupConfigs configs;
    private final Map<Integer, GroupHost> hosts = new HashMap<>();

    /// Of partitions whose coordinator failed or could not be read; bounded by their number.
    private final Map<Integer, Failures> failures = new HashMap<>();

    private record Failures(int count, long lastMs) {
        static final Failures NONE = new Failures(0, 0);
    }

    GroupShard(PartitionManager partitions, GroupCoordinatorParts parts) {
        this.partitions = partitions;
        this.parts = parts;
        this.configs = new LiveGroupConfigs(parts.config(), partitions::image);
    }

    // Requests.

    /// Runs `operation` on the coordinator of a partition, which is opened when this is its first
    /// use.
    <T> void call(
            Uuid topicId,
            int number,
            GroupCoordinators.Operation<T> operation,
            Reply<T> reply,
            boolean mayWrite) {
        try {
            tryCall(topicId, number, operation, reply, mayWrite);
        } catch (RuntimeException e) {
            LOG.error(
                    "A request to the coordinator on {}-{} failed.",
                    InternalTopics.CONSUMER_OFFSETS,
                    number,
                    e);
        }
    }

    private <T> void tryCall(
            Uuid topicId,
            int number,
            GroupCoordinators.Operation<T> operation,
            Reply<T> reply,
            boolean mayWrite) {
        switch (partitions.lookup(topicId, number)) {
            case Lookup.Failed(var error) -> reply.refuse(refusal(error.code(), error.message()));
            case Lookup.Found(HostedPartition partition) -> {
                if (partition.isFrozen()) {
                    reply.refuse(
                            Refusal.of(
                                    ErrorCode.NOT_COORDINATOR,
                                    "Partition %s moves to another data directory: try again.",
                                    partition));
                } else {
                    host(partition).run(operation, reply, mayWrite);
                }
            }
        }
    }

    private GroupHost host(HostedPartition partition) {
        GroupHost host = hosts.get(partition.key().partition());
        return host == null ? load(partition) : host;
    }

    private static Refusal refusal(ErrorCode cause, String message) {
        ErrorCode error =
                switch (cause) {
                    case NOT_LEADER_OR_FOLLOWER, KAFKA_STORAGE_ERROR -> ErrorCode.NOT_COORDINATOR;
                    default -> ErrorCode.COORDINATOR_NOT_AVAILABLE;
                };
        return Refusal.of(error, "%s", message);
    }

    /// The hosts to ask about all groups.
    List<GroupHost> hosts() {
        return new ArrayList<>(hosts.values());
    }

    /// Partitions of the topic that this broker leads and whose coordinator is not there yet.
    int loadingCount() {
        int loading = 0;
        for (HostedPartition partition : partitions.partitions()) {
            if (!partition.topic().equals(InternalTopics.CONSUMER_OFFSETS)) continue;
            if (!partitions.isLedHere(partition.key())) continue;
            GroupHost host = hosts.get(partition.key().partition());
            if (host == null || !host.isActive()) loading++;
        }
        return loading;
    }

    // What the shard's partitions tell.

    @Override
    public void onLeading(HostedPartition partition) {
        if (!partition.topic().equals(InternalTopics.CONSUMER_OFFSETS)) return;
        end(partition, ErrorCode.NOT_COORDINATOR, "leads under a new epoch");
        load(partition);
    }

    @Override
    public void onNotLeading(HostedPartition partition) {
        if (partition.topic().equals(InternalTopics.CONSUMER_OFFSETS)) {
            end(partition, ErrorCode.NOT_COORDINATOR, "is not led by this broker any more");
        }
    }

    @Override
    public void onImage(ImageDelta delta, ClusterImage image) {
        if (hosts.isEmpty()) return;
        Optional<TopicChanges> changes = ImageTopics.changes(delta, image);
        if (changes.isEmpty()) return;
        ImageTopics topics = new ImageTopics(image);
        hosts().forEach(host -> host.onTopicsChanged(topics, changes.get()));
    }

    /// Nobody's timer may write into a log that is being closed.
    @Override
    public void onClosing() {
        hosts().forEach(host ->
                end(host.partition(), ErrorCode.NOT_COORDINATOR, "is closed: the broker stops"));
    }

    private void end(HostedPartition partition, ErrorCode error, String what) {
        GroupHost host = hosts.remove(partition.key().partition());
        if (host != null) {
            host.becomeEnded(error, "Partition %s %s.".formatted(partition, what));
        }
    }

    private GroupHost load(HostedPartition partition) {
        GroupHost host = new GroupHost(partition, this);
        hosts.put(partition.key().partition(), host);
        new GroupLoader(
                        partition.log(),
                        host.coordinator(),
                        this,
                        parts.background(),
                        problem -> onLoaded(host, problem))
                .step();
        return host;
    }

    private void onLoaded(GroupHost host, Optional<String> problem) {
        if (host.isEnded()) return;
        if (problem.isEmpty()) {
            host.becomeActive(new ImageTopics(partitions.image()));
            return;
        }
        LOG.error("The coordinator on {} cannot be read: {}.", host.partition(), problem.get());
        host.becomeEnded(
                ErrorCode.NOT_COORDINATOR,
                "Partition %s cannot be read: %s.".formatted(host.partition(), problem.get()));
        replaceLater(host);
    }

    @Override
    public void onAppendLost(GroupHost host) {
        // The coordinator may be in the middle of an operation: let it end first.
        shard().execute(() -> {
            if (host.isEnded()) return;
            host.becomeEnded(
                    ErrorCode.NOT_COORDINATOR,
                    "Partition %s did not take records.".formatted(host.partition()));
            if (host.isShortAgain()) {
                replaceLater(host);
            } else {
                replace(host);
            }
        });
    }

    @Override
    public void onFailed(GroupHost host) {
        partitions.metrics().coordinatorFailed();
        host.becomeEnded(
                ErrorCode.NOT_COORDINATOR,
                "The coordinator on %s failed and is read again.".formatted(host.partition()));
        replaceLater(host);
    }

    /// In the place of a host that ended, for as long as this broker leads.
    private void replace(GroupHost ended) {
        HostedPartition partition = ended.partition();
        if (hosts.remove(partition.key().partition(), ended)
                && partition.isLeading()
                && !partition.isFrozen()) {
            load(partition).follow(ended);
        }
    }

    /// After a pause that grows when failures follow each other: a failure that comes again must
    /// not keep the broker busy with reading. Until then the ended host answers.
    private void replaceLater(GroupHost ended) {
        int number = ended.partition().key().partition();
        Failures before = failures.getOrDefault(number, Failures.NONE);
        boolean followsAnother = nowMs() - before.lastMs() < FORGET_FAILURES_MS;
        int count = followsAnother ? before.count() + 1 : 0;
        failures.put(number, new Failures(count, nowMs()));
        Timer timer =
                new Timer() {
                    @Override
                    protected void onTimeout() {
                        replace(ended);
                    }
                };
        shard().scheduleMs(timer, FIRST_PAUSE_MS << Math.min(count, MAX_PAUSE_DOUBLINGS));
    }

    // What the hosts use.

    @Override
    public Shard shard() {
        return partitions.shard();
    }

    @Override
    public long nowMs() {
        return parts.clock().millis();
    }

    @Override
    public GroupConfigs configs() {
        return configs;
    }

    @Override
    public Supplier<String> uniqueIds() {
        return parts.uniqueIds();
    }

    @Override
    public int loadBufferBytes() {
        ConfigResolver resolver = parts.config().get();
        return resolver.broker().value(GroupKeys.OFFSETS_LOAD_BUFFER_SIZE);
    }

    @Override
    public int maxUncompressedBytes() {
        return parts.maxUncompressedBytes();
    }

    @Override
    public Compression compression() {
        int codec = parts.config().get().broker().value(GroupKeys.OFFSETS_TOPIC_COMPRESSION_CODEC);
        return Compression.forId(codec).orElse(Compression.NONE);
    }

    @Override
    public long commitTimeoutMs() {
        return parts.config().get().broker().value(GroupKeys.OFFSETS_COMMIT_TIMEOUT_MS);
    }

    @Override
    public void resolveRegexes(Set<String> regexes, RegexesResolved resolved, Runnable failed) {
        ClusterImage image = partitions.image();
        Executor background = parts.background();
        background.execute(() -> {
            Runnable answer;
            try {
                var matches = RegexEvaluation.topicsByRegex(regexes, image);
                answer = () -> resolved.accept(matches, image.version().offset());
            } catch (RuntimeException e) {
                LOG.warn("The regular expressions {} cannot be evaluated.", regexes, e);
                answer = failed;
            }
            shard().execute(answer);
        });
    }
}
