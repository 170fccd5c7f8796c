package dev.ottla.broker.server;

import dev.ottla.broker.voting.OwnVote;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.quorum.engine.QuorumEngine;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// This node's vote by its engine. Used on the metadata thread.
record EngineVote(QuorumEngine engine, MetadataService metadata) implements OwnVote {
    @Override
    public boolean leads() {
        return metadata.isLeader();
    }

    @Override
    public boolean isReady() {
        return engine.isVoter();
    }

    @Override
    public List<QuorumVoter> voters() {
        return engine.voters();
    }

    @Override
    public boolean isLed() {
        return engine.quorum().leaderId() >= 0;
    }

    @Override
    public int epoch() {
        return engine.quorum().leaderEpoch();
    }

    @Override
    public boolean wasTakenOut() {
        return engine.wasTakenOut();
    }

    @Override
    public CompletableFuture<Void> getReady() {
        return engine.becomeVoter();
    }

    @Override
    public void giveUp() {
        engine.leave();
    }
}
