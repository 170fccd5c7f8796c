package dev.ottla.broker.server;

import dev.ottla.broker.fetch.FetchSessions;
import dev.ottla.broker.handler.data.DeleteRecordsHandler;
import dev.ottla.broker.handler.data.DescribeProducersHandler;
import dev.ottla.broker.handler.data.FetchHandler;
import dev.ottla.broker.handler.data.InitProducerIdHandler;
import dev.ottla.broker.handler.data.ListOffsetsHandler;
import dev.ottla.broker.handler.data.OffsetForLeaderEpochHandler;
import dev.ottla.broker.handler.data.ProduceHandler;
import dev.ottla.broker.handler.quorum.FetchSnapshotHandler;
import dev.ottla.broker.handler.quorum.MetadataFetchHandler;
import dev.ottla.broker.produce.ProducerIds;
import dev.ottla.broker.produce.Produces;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.config.NetworkKeys;
import java.util.List;

/// Makes the handlers of the data path.
final class DataHandlers {
    private DataHandlers() {}

    static List<ApiHandler<?>> create(BrokerServices services) {
        return List.of(
                new ProduceHandler(
                        new ProduceHandler.Parts(
                                services.image(),
                                services.config(),
                                new Produces(services.checks(), services::partitionsOf),
                                services.addresses(),
                                services.clock())),
                new MetadataFetchHandler(
                        fetches(services),
                        services.metadataServer(),
                        services.clusterId(),
                        services.image(),
                        reached(services)::by),
                new FetchSnapshotHandler(services.metadataServer(), services.clusterId()),
                new ListOffsetsHandler(services.image(), services::partitionsOf),
                new OffsetForLeaderEpochHandler(services.image(), services::partitionsOf),
                new DeleteRecordsHandler(services.image(), services::partitionsOf),
                new DescribeProducersHandler(services.image(), services::partitionsOf),
                new InitProducerIdHandler(producerIds(services)));
    }

    private static ReachedAddress reached(BrokerServices services) {
        return new ReachedAddress(
                services.nodeId(),
                services.brokerEpoch(),
                services.image(),
                services.addresses().own(),
                services.metadata());
    }

    private static FetchHandler fetches(BrokerServices services) {
        return new FetchHandler(
                new FetchHandler.Parts(
                        services.image(),
                        services.config(),
                        sessions(services),
                        services::fetchesOf,
                        services.loops(),
                        services.addresses()));
    }

    private static FetchSessions sessions(BrokerServices services) {
        return new FetchSessions(
                services.config()
                        .broker()
                        .value(NetworkKeys.MAX_INCREMENTAL_FETCH_SESSION_CACHE_SLOTS),
                services.loopCount(),
                services.nanoClock(),
                services.random());
    }

    private static ProducerIds producerIds(BrokerServices services) {
        return new ProducerIds(
                services.metadataThread(),
                () ->
                        services.membership()
                                .link()
                                .allocateProducerIds(services.incarnation())
                                .thenApply(block ->
                                        new ProducerIds.Block(block.first(), block.end())));
    }
}
