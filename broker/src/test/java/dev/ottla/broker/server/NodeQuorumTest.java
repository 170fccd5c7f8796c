package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.voting.Role;
import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.ConfigValues;
import dev.ottla.config.Surroundings;
import dev.ottla.log.DataDirectory;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.quorum.raft.RaftOptions;
import dev.ottla.quorum.store.MetadataStore;
import dev.ottla.quorum.store.MetadataStoreOptions;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a node's configuration makes of it as a voter.
final class NodeQuorumTest {
    private static final Executor NOBODY = _ -> {};

    private static ConfigValues config(String key, String value) {
        return new ConfigResolver(BrokerLayers.of(Map.of(key, value)), Surroundings.of(1, 2))
                .broker();
    }

    private static NodeQuorum node(ConfigValues config) throws IOException {
        FakeDisk disk = new FakeDisk();
        DataDirectory directory =
                DataDirectory.open(
                        disk,
                        Path.of("/data"),
                        new DataDirectory.Options(2, 0, 0, 0, new Uuid(7, 7)),
                        NOBODY,
                        NOBODY);
        InstantSource clock = InstantSource.system();
        MetadataStore store =
                new MetadataStore(
                        disk, directory, NOBODY, NOBODY, clock, MetadataStoreOptions.DEFAULTS);
        return new NodeQuorum(
                new NodeQuorum.Parts(
                        4,
                        false,
                        Path.of("/data"),
                        store,
                        () -> {
                            throw new AssertionError("no observer is asked for");
                        },
                        Optional.empty(),
                        () -> ClusterImage.EMPTY,
                        NOBODY,
                        NOBODY,
                        clock,
                        config));
    }

    @Test
    @Tag("config:quorum.port")
    void theOtherVotersReachItAtTheConfiguredPort() throws IOException {
        NodeQuorum node = node(config("quorum.port", "4711"));

        assertThat(node.self().port()).isEqualTo(4711);
        assertThat(node.self().nodeId()).isEqualTo(4);
        assertThat(node.self().directoryId()).isEqualTo(new Uuid(7, 7));
    }

    @Test
    @Tag("config:quorum.port")
    void aFreePortStaysTheSame() throws IOException {
        NodeQuorum node = node(config("quorum.port", "0"));

        assertThat(node.self().port()).isPositive().isEqualTo(node.self().port());
    }

    @Test
    @Tag("config:process.roles")
    void aControllerAloneVotesAndABrokerAloneDoesNot() {
        assertThat(Role.of("auto", true, true)).isEqualTo(Role.AUTO);
        assertThat(Role.of("auto", false, true)).isEqualTo(Role.VOTER);
        assertThat(Role.of("observer", false, true)).isEqualTo(Role.OBSERVER);
        assertThat(Role.of("voter", true, false)).isEqualTo(Role.OBSERVER);
    }

    @Test
    @Tag("config:controller.quorum.election.timeout.ms")
    void theElectionTimeoutIsTheConfiguredOneWithinReason() {
        RaftOptions usual =
                NodeEngines.options(config("controller.quorum.election.timeout.ms", "700"));
        RaftOptions tooShort =
                NodeEngines.options(config("controller.quorum.election.timeout.ms", "0"));

        assertThat(usual.electionTimeoutMs()).isEqualTo(700);
        assertThat(tooShort.electionTimeoutMs()).isEqualTo(50);
    }
}
