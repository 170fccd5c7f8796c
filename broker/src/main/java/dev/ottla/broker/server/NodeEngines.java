package dev.ottla.broker.server;

import dev.ottla.config.ConfigValues;
import dev.ottla.config.Listeners;
import dev.ottla.config.QuorumKeys;
import dev.ottla.metadata.MetadataLogException;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.quorum.engine.Makers;
import dev.ottla.quorum.local.LocalMetadataLog;
import dev.ottla.quorum.raft.Beginning;
import dev.ottla.quorum.raft.FreePort;
import dev.ottla.quorum.raft.QuorumFiles;
import dev.ottla.quorum.raft.RaftMetadataLog;
import dev.ottla.quorum.raft.RaftOptions;
import dev.ottla.quorum.store.Engine;
import dev.ottla.quorum.store.MetadataStore;
import dev.ottla.quorum.store.MetadataStoreOptions;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/// Makes the engines of this node. Of the raft engine nothing is loaded before it is made. Used on
/// the metadata thread.
///
/// @param clusterId known when a quorum is begun or was joined
/// @param lane writes snapshots
record NodeEngines(
        int nodeId,
        MetadataStore store,
        QuorumFiles files,
        Supplier<Uuid> clusterId,
        Supplier<Engine> newObserver,
        Executor metadataThread,
        Executor lane,
        InstantSource clock,
        ConfigValues config)
        implements Makers {
    private static final int LEAST_ELECTION_TIMEOUT_MS = 50;

    @Override
    public LocalMetadataLog local() {
        return new LocalMetadataLog(store, nodeId, clock, MetadataStoreOptions.MAX_BATCH_BYTES);
    }

    @Override
    public Engine observer() {
        return newObserver.get();
    }

    @Override
    public Engine raft(QuorumVoter self, Beginning beginning, RaftMetadataLog.Owner owner) {
        return new RaftMetadataLog(
                store,
                files.seat(clusterId.get(), reachable(self)),
                beginning,
                metadataThread,
                lane,
                clock,
                options(config),
                owner);
    }

    /// A voter whose port was taken by another program listens where it is to move to. The others
    /// do not reach it there, so it hears of no leader, and asks the controller for the move.
    private QuorumVoter reachable(QuorumVoter self) {
        int wanted = config.value(QuorumKeys.QUORUM_PORT);
        try {
            return wanted <= 0 || wanted == self.port() || FreePort.isFree(self.port(), host())
                    ? self
                    : new QuorumVoter(self.nodeId(), self.directoryId(), self.host(), wanted);
        } catch (IOException e) {
            throw new MetadataLogException("No port can be opened: " + e.getMessage(), e);
        }
    }

    private String host() {
        return options(config).bindHost();
    }

    static RaftOptions options(ConfigValues config) {
        RaftOptions defaults = RaftOptions.DEFAULTS;
        return new RaftOptions(
                Math.max(
                        LEAST_ELECTION_TIMEOUT_MS,
                        config.value(QuorumKeys.CONTROLLER_QUORUM_ELECTION_TIMEOUT_MS)),
                defaults.maxBatchBytes(),
                defaults.segmentBytes(),
                defaults.snapshotEntries(),
                defaults.idleMs(),
                Listeners.of(config).clientsFirst().getFirst().bind().host());
    }
}
