package dev.ottla.broker.server;

import dev.ottla.broker.coordinator.InternalTopics;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.ReplicationKeys;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.controller.Controller;
import dev.ottla.metadata.controller.Outcome;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.service.MetadataService;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks the controller from time to time to do what nobody asks it for: more replicas for internal
/// topics, leaderships back to where they belong. On nodes that are not the controller, and on a
/// node that is alone, nothing comes of it. Called by the upkeep thread only.
final class ControllerUpkeep {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerUpkeep.class);
    private static final long SETTLE_NS = TimeUnit.MINUTES.toNanos(1);

    /// So many leaderships move at once, then again after a pause.
    private static final int MOST_LEADERSHIPS = 1_000;

    private final MetadataService metadata;
    private final Supplier<ConfigResolver> config;
    private final LongSupplier nanoClock;
    private Map<Integer, BrokerState> settledFor = Map.of();
    private long settledNs;
    private long preferredNs;

    ControllerUpkeep(
            MetadataService metadata, Supplier<ConfigResolver> config, LongSupplier nanoClock) {
        this.metadata = metadata;
        this.config = config;
        this.nanoClock = nanoClock;
        this.settledNs = nanoClock.getAsLong();
        this.preferredNs = settledNs;
    }

    void check() {
        ClusterImage image = metadata.image();
        if (image.brokers().size() < 2) return;
        long nowNs = nanoClock.getAsLong();
        boolean brokersChanged = !image.brokers().equals(settledFor);
        long uncleanNs =
                TimeUnit.MILLISECONDS.toNanos(
                        config.get()
                                .broker()
                                .value(ReplicationKeys.UNCLEAN_LEADER_ELECTION_INTERVAL_MS));
        if (brokersChanged || nowNs - settledNs >= Math.min(SETTLE_NS, uncleanNs)) {
            settledFor = image.brokers();
            settledNs = nowNs;
            submit(
                    Controller::settle,
                    changed -> {
                        noteSettled(changed);
                        if (brokersChanged) noteSingleReplicas(image);
                    });
        }
        long pauseNs =
                TimeUnit.SECONDS.toNanos(
                        config.get()
                                .broker()
                                .value(ReplicationKeys.LEADER_IMBALANCE_CHECK_INTERVAL_SECONDS));
        if (nowNs - preferredNs >= pauseNs) {
            preferredNs = nowNs;
            submit(
                    controller -> controller.electPreferred(MOST_LEADERSHIPS),
                    ControllerUpkeep::notePreferred);
        }
    }

    private void submit(Function<Controller, Outcome<Integer>> command, IntConsumer done) {
        var _ =
                metadata.submit(command)
                        .whenComplete((changed, failure) -> {
                            if (failure == null) {
                                done.accept(changed);
                            } else if (!isElsewhere(failure)) {
                                LOG.error("The controller's own upkeep failed.", failure);
                            }
                        });
    }

    private static boolean isElsewhere(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        return cause instanceof NotControllerException;
    }

    private static void noteSettled(int changed) {
        if (changed > 0) {
            LOG.info(
                    "{} partitions changed with the cluster: internal topics get more replicas, or what was held up went on.",
                    changed);
        }
    }

    private static void notePreferred(int moved) {
        if (moved > 0) LOG.info("{} leaderships went back to their preferred brokers.", moved);
    }

    private static void noteSingleReplicas(ClusterImage image) {
        long topics =
                image.topics().stream()
                        .filter(topic ->
                                topic.targetReplicationFactor() == 1
                                        && !InternalTopics.contains(topic.name()))
                        .count();
        if (topics > 0) {
            LOG.info(
                    "Topics with one replica only: {}. The cluster has {} brokers; './ottla cluster raise' gives them more.",
                    topics,
                    image.brokers().size());
        }
    }
}
