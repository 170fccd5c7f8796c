package dev.ottla.broker.server;

import dev.ottla.config.ConfigValues;
import dev.ottla.config.Listeners;
import dev.ottla.config.QuorumKeys;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.quorum.engine.Makers;
import dev.ottla.quorum.local.LocalMetadataLog;
import dev.ottla.quorum.raft.Beginning;
import dev.ottla.quorum.raft.QuorumFiles;
import dev.ottla.quorum.raft.RaftMetadataLog;
import dev.ottla.quorum.raft.RaftOptions;
import dev.ottla.quorum.store.Engine;
import dev.ottla.quorum.store.MetadataStore;
import dev.ottla.quorum.store.MetadataStoreOptions;
import dev.ottla.wire.Uuid;
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
    public Engine raft(QuorumVoter self, Beginning beginning, Runnable takenOut) {
        return new RaftMetadataLog(
                store,
                files.seat(clusterId.get(), self),
                beginning,
                metadataThread,
                lane,
                clock,
                options(config),
                takenOut);
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
