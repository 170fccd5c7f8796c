package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.Surroundings;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.controller.AlterConfigs;
import dev.ottla.metadata.controller.AlterPartition;
import dev.ottla.metadata.controller.ConfigOp;
import dev.ottla.metadata.controller.IsrMember;
import dev.ottla.metadata.controller.PartitionId;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class ControllerUpkeepTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final TestMetadata metadata = new TestMetadata(2);
    private final ConfigResolver config =
            new ConfigResolver(
                    BrokerLayers.of(
                            Map.of(
                                    "leader.imbalance.check.interval.seconds",
                                    "20",
                                    "unclean.leader.election.interval.ms",
                                    "15000")),
                    Surroundings.of(2, 2));
    private long nowNs;
    private final ControllerUpkeep upkeep =
            new ControllerUpkeep(metadata.service(), () -> config, () -> nowNs);

    @Test
    @Tag("config:leader.imbalance.check.interval.seconds")
    void leadershipsGoBackAtTheIntervalOfTheSettings() {
        metadata.create("t", List.of(List.of(1, 2)));
        metadata.start(1, metadata.image().broker(1).orElseThrow().directories());
        catchUp();
        assertThat(partition().leader()).isEqualTo(2);

        nowNs = 19 * SECOND;
        upkeep.check();
        assertThat(partition().leader()).isEqualTo(2);

        nowNs = 20 * SECOND;
        upkeep.check();
        assertThat(partition().leader()).isEqualTo(1);
    }

    @Test
    @Tag("config:unclean.leader.election.interval.ms")
    void partitionsThatMayHaveAnUncleanLeaderAreSearchedForAtTheIntervalOfTheSettings() {
        metadata.create("t", List.of(List.of(1, 2)));
        metadata.fence(2);
        metadata.fence(1);
        metadata.start(2, metadata.image().broker(2).orElseThrow().directories());
        upkeep.check();
        assertThat(partition().hasLeader()).isFalse();
        AlterConfigs permit =
                new AlterConfigs(
                        ConfigResource.topic("t"),
                        List.of(ConfigOp.set("unclean.leader.election.enable", "true")));
        metadata.service().submit(c -> c.alterConfigs(List.of(permit), false)).join();

        nowNs = 14 * SECOND;
        upkeep.check();
        assertThat(partition().hasLeader()).isFalse();

        nowNs = 15 * SECOND;
        upkeep.check();
        assertThat(partition().leader()).isEqualTo(2);
    }

    @Test
    void internalTopicsAreRaisedWhenABrokerJoins() {
        metadata.create("__consumer_offsets", List.of(List.of(1, 2)));
        upkeep.check();
        assertThat(replicas()).hasSize(2);

        metadata.start(3, List.of(new Uuid(9, 9)));
        nowNs = SECOND;
        upkeep.check();

        assertThat(replicas()).containsExactlyInAnyOrder(1, 2, 3);
    }

    private List<Integer> replicas() {
        return metadata.image().partition("__consumer_offsets", 0).orElseThrow().replicas();
    }

    private PartitionState partition() {
        return metadata.image().partition("t", 0).orElseThrow();
    }

    private void catchUp() {
        PartitionState state = partition();
        AlterPartition change =
                new AlterPartition(
                        new PartitionId(metadata.image().topic("t").orElseThrow().id(), 0),
                        state.leaderEpoch(),
                        state.partitionEpoch(),
                        List.of(new IsrMember(2, -1), new IsrMember(1, -1)),
                        false);
        long epoch = metadata.image().broker(2).orElseThrow().epoch();
        metadata.service().submit(c -> c.alterPartitions(2, epoch, List.of(change))).join();
    }
}
