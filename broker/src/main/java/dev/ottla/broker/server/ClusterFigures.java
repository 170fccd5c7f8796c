package dev.ottla.broker.server;

import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.settings.BrokerConfig;
import dev.ottla.broker.settings.TopicSettings;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToLongFunction;

/// What the cluster is like, counted out of the metadata when somebody asks for the metrics page
/// and the metadata has changed since the last time. What only the active controller tells in
/// Kafka, others tell as 0 here too: so a sum over all brokers is right. Thread-safe.
final class ClusterFigures {
    private static final long PATIENCE_SECONDS = 1;

    private final BrokerServices services;

    /// Guarded by this.
    private Counts counts = Counts.NONE;

    private ClusterFigures(BrokerServices services) {
        this.services = services;
    }

    static void register(BrokerMetrics metrics, BrokerServices services) {
        ClusterFigures figures = new ClusterFigures(services);
        figures.registerOwn(metrics);
        figures.registerController(metrics);
    }

    private void registerOwn(BrokerMetrics metrics) {
        figure(
                metrics,
                "ottla_leaders",
                "Partitions that this broker leads.",
                counts -> counts.leaders);
        figure(
                metrics,
                "ottla_partitions_under_replicated",
                "Partitions led by this broker with replicas that are not in sync.",
                counts -> counts.underReplicated);
        figure(
                metrics,
                "ottla_partitions_under_min_isr",
                "Partitions led by this broker that take no writes with acks=all, for too few replicas are in sync.",
                counts -> counts.underMinIsr);
        figure(
                metrics,
                "ottla_partitions_at_min_isr",
                "Partitions led by this broker with as few replicas in sync as acks=all permits.",
                counts -> counts.atMinIsr);
        metrics.gauge(
                "ottla_replica_max_lag_records",
                "Records that the follower on this broker that is most behind lacked of its leader's high watermark when it last heard of it.",
                this::maxLag);
    }

    private void registerController(BrokerMetrics metrics) {
        metrics.gauge(
                "ottla_active_controller",
                "1 on the active controller, 0 elsewhere.",
                () -> services.metadata().leads() ? 1 : 0);
        onController(
                metrics,
                "ottla_topics_global",
                "Topics of the cluster; 0 where the controller is not active, as for those below.",
                counts -> counts.topics);
        onController(
                metrics,
                "ottla_partitions_global",
                "Partitions of the cluster.",
                counts -> counts.partitions);
        onController(
                metrics,
                "ottla_partitions_leaderless",
                "Partitions of the cluster without a leader.",
                counts -> counts.leaderless);
        onController(
                metrics,
                "ottla_partitions_led_by_others",
                "Partitions of the cluster that are not led by their preferred replica.",
                counts -> counts.ledByOthers);
        onController(
                metrics,
                "ottla_brokers_active",
                "Brokers that may lead.",
                counts -> counts.activeBrokers);
        onController(
                metrics,
                "ottla_brokers_fenced",
                "Registered brokers that may not lead.",
                counts -> counts.fencedBrokers);
    }

    private void figure(
            BrokerMetrics metrics, String name, String help, ToLongFunction<Counts> value) {
        metrics.gauge(name, help, () -> value.applyAsLong(counts()));
    }

    private void onController(
            BrokerMetrics metrics, String name, String help, ToLongFunction<Counts> value) {
        metrics.gauge(
                name, help, () -> services.metadata().leads() ? value.applyAsLong(counts()) : 0);
    }

    private synchronized Counts counts() {
        ClusterImage image = services.image().get();
        if (counts.image != image) {
            counts = new Counts(image, services.nodeId(), services.config());
        }
        return counts;
    }

    /// NaN when a shard does not answer.
    private double maxLag() {
        long most = 0;
        for (ShardRuntime runtime : services.shardRuntimes()) {
            CompletableFuture<Long> answer = new CompletableFuture<>();
            runtime.shard().execute(() -> answer.complete(runtime.partitions().maxLag()));
            try {
                most = Math.max(most, answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
            } catch (TimeoutException | ExecutionException e) {
                return Double.NaN;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Double.NaN;
            }
        }
        return most;
    }

    /// One look at all partitions. Written while it is made only.
    private static final class Counts {
        static final Counts NONE = new Counts();

        private final ClusterImage image;
        private long leaders;
        private long underReplicated;
        private long underMinIsr;
        private long atMinIsr;
        private long topics;
        private long partitions;
        private long leaderless;
        private long ledByOthers;
        private long activeBrokers;
        private long fencedBrokers;

        private Counts() {
            image = ClusterImage.EMPTY;
        }

        Counts(ClusterImage image, int brokerId, BrokerConfig config) {
            this.image = image;
            topics = image.topicCount();
            partitions = image.partitionCount();
            for (BrokerState broker : image.brokers().values()) {
                if (broker.isActive()) {
                    activeBrokers++;
                } else if (broker.fenced()) {
                    fencedBrokers++;
                }
            }
            for (TopicState topic : image.topics()) {
                TopicSettings settings = null;
                for (PartitionState partition : topic.partitions()) {
                    if (!partition.hasLeader()) {
                        leaderless++;
                    } else if (partition.leader() != partition.replicas().at(0)) {
                        ledByOthers++;
                    }
                    if (partition.leader() == brokerId) {
                        settings = settings == null ? config.topic(topic, image) : settings;
                        countLed(partition, settings);
                    }
                }
            }
        }

        private void countLed(PartitionState partition, TopicSettings settings) {
            leaders++;
            int inSync = partition.isr().size();
            if (inSync < partition.replicationFactor()) {
                underReplicated++;
            }
            int enough =
                    Math.min(
                            settings.minInSyncReplicasOf(partition.replicationFactor()),
                            partition.replicas().size());
            if (inSync < enough) {
                underMinIsr++;
            } else if (inSync == enough) {
                atMinIsr++;
            }
        }
    }
}
