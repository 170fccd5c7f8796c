package dev.ottla.broker.server;

import dev.ottla.broker.handler.voting.AddRaftVoterHandler;
import dev.ottla.broker.handler.voting.RemoveRaftVoterHandler;
import dev.ottla.broker.handler.voting.UnregisterControllerHandler;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.voting.VoterChanges;
import java.util.List;

/// Makes the handlers that change who votes on the metadata.
final class VotingHandlers {
    private VotingHandlers() {}

    static List<ApiHandler<?>> create(BrokerServices services) {
        VoterChanges changes = services.voters();
        return List.of(
                new AddRaftVoterHandler(changes, services.image(), services.clusterId()),
                new RemoveRaftVoterHandler(changes, services.clusterId()),
                new UnregisterControllerHandler(changes));
    }
}
