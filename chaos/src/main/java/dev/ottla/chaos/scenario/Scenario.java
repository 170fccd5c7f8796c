package dev.ottla.chaos.scenario;

import dev.ottla.chaos.load.TopicShape;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// What `--scenario` names: faults in a certain order at certain moments, instead of what a seed
/// makes of a time. One node is the controller, another one is the leader of some partitions which
/// the third one follows.
public enum Scenario {
    /// All nodes lose their power at once, while their disks are slow and partitions have one
    /// replica only. What was acknowledged is on that one's disk.
    POWER_LOST_BY_ALL(1, 1, false) {
        @Override
        void play(Stage stage) {
            stage.all().forEach(node -> stage.tell(node, "slow-syncs 400"));
            stage.pause(Duration.ofSeconds(2));
            stage.losePower(stage.all(), OptionalLong.empty());
            stage.launch(stage.all());
        }
    },

    /// A follower dies. It comes back and begins to follow its leader, but hears nothing of it;
    /// then the leader dies, and the follower leads. It has all that was acknowledged, though it
    /// had not heard that all of it was.
    FOLLOWER_RETURNS_FIRST(2, 2, true) {
        @Override
        void play(Stage stage) {
            stage.kill(stage.follower());
            stage.awaitLeaderAlone();
            stage.cutBothWays(stage.leader(), stage.follower());
            stage.launch(List.of(stage.follower()));
            stage.awaitFollowerActive();
            stage.pause(Duration.ofSeconds(1));
            stage.kill(stage.leader());
            stage.healNetworks();
            stage.pause(Duration.ofSeconds(4));
            stage.launch(List.of(stage.leader()));
        }
    },

    /// A leader asks for its follower to be in sync again. That is granted, but the leader's disk
    /// takes its time with what the controller has decided; and then the follower hears no more of
    /// the leader. Who does not know who is in sync must count with all that may be.
    ISR_GROWS_UNHEARD(2, 1, true) {
        @Override
        void play(Stage stage) {
            stage.leaveMetadataAlone();
            stage.cutBothWays(stage.leader(), stage.follower());
            stage.awaitLeaderAlone();
            stage.pause(Duration.ofMillis(500)); // By then the leader knows it too.
            stage.tell(stage.leader(), "slow-writes 10000 __cluster_metadata");
            stage.join(stage.leader(), stage.follower());
            stage.awaitFollowerInSync();
            stage.cutBothWays(stage.leader(), stage.follower());
            stage.pause(Duration.ofMillis(800));
            stage.kill(stage.leader());
            stage.healNetworks();
            stage.pause(Duration.ofSeconds(4));
            stage.launch(List.of(stage.leader()));
        }
    },

    /// A leader loses its power, and with that records which a follower had, who is dead. It leads
    /// again, alone, and writes others in their place, before the follower comes back.
    LEADER_RETURNS_ALONE(2, 1, false) {
        @Override
        void play(Stage stage) {
            stage.tell(stage.leader(), "slow-syncs 60000");
            stage.pause(Duration.ofSeconds(1));
            stage.kill(stage.follower());
            stage.awaitLeaderAlone();
            stage.losePower(List.of(stage.leader()), OptionalLong.empty());
            stage.launch(List.of(stage.leader()));
            stage.awaitReady();
            stage.pause(Duration.ofSeconds(4));
            stage.launch(List.of(stage.follower()));
        }
    },

    /// A follower dies and then its leader. The follower comes back first, with an empty disk.
    /// Nobody leads until one comes back who has what was acknowledged.
    WIPED_NODE_RETURNS_FIRST(2, 2, false) {
        // Without the two there must be voters enough to elect anybody.
        @Override
        public int nodes() {
            return 5;
        }

        @Override
        void play(Stage stage) {
            stage.kill(stage.follower());
            stage.awaitLeaderAlone();
            stage.kill(stage.leader());
            stage.wipe(stage.follower());
            stage.launch(List.of(stage.follower()));
            stage.pause(Duration.ofSeconds(5));
            stage.launch(List.of(stage.leader()));
        }
    };

    private final int replicas;
    private final int minInsyncReplicas;
    private final boolean cutsNetworks;

    Scenario(int replicas, int minInsyncReplicas, boolean cutsNetworks) {
        this.replicas = replicas;
        this.minInsyncReplicas = minInsyncReplicas;
        this.cutsNetworks = cutsNetworks;
    }

    abstract void play(Stage stage);

    /// How many nodes it needs at least.
    public int nodes() {
        return 3;
    }

    public TopicShape topics(Roles roles) {
        // What only the system's cache has is not promised to survive a power loss.
        TopicShape shape =
                new TopicShape(replicas, minInsyncReplicas).with(Map.of("flush.policy", "fsync"));
        return replicas == 2 ? shape.on(List.of(roles.leader(), roles.follower())) : shape;
    }

    /// Which needs root.
    public boolean cutsNetworks() {
        return cutsNetworks;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<Scenario> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word().equals(word)).findFirst();
    }
}
