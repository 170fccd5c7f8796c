package dev.ottla.broker.handler.config;

import dev.ottla.broker.handler.cluster.ClusterView;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ListConfigResourcesRequest;
import dev.ottla.wire.message.ListConfigResourcesResponse;
import dev.ottla.wire.message.ListConfigResourcesResponse.ConfigResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// ListConfigResources: which resources can be configured, or are (KIP-1142). Version 0 lists
/// client metrics subscriptions only.
///
/// UNSUPPORTED_VERSION when a kind is asked for that cannot be listed.
public final class ListConfigResourcesHandler implements ApiHandler<ListConfigResourcesRequest> {
    private static final byte TOPIC = dev.ottla.metadata.ConfigResource.Type.TOPIC.id();
    private static final byte BROKER = dev.ottla.metadata.ConfigResource.Type.BROKER.id();
    private static final byte LOGGER = dev.ottla.metadata.ConfigResource.Type.BROKER_LOGGER.id();
    private static final byte METRICS = dev.ottla.metadata.ConfigResource.Type.CLIENT_METRICS.id();
    private static final byte GROUP = dev.ottla.metadata.ConfigResource.Type.GROUP.id();
    private static final Set<Byte> ALL = Set.of(TOPIC, BROKER, LOGGER, METRICS, GROUP);

    private final ClusterView cluster;

    public ListConfigResourcesHandler(ClusterView cluster) {
        this.cluster = cluster;
    }

    @Override
    public ApiKey api() {
        return ApiKey.LIST_CONFIG_RESOURCES;
    }

    @Override
    public void handle(
            RequestContext context, ListConfigResourcesRequest request, Responder responder) {
        Set<Byte> types =
                context.version() == 0
                        ? Set.of(METRICS)
                        : request.resourceTypes().isEmpty()
                                ? ALL
                                : Set.copyOf(request.resourceTypes());
        if (!ALL.containsAll(types)) {
            responder.respond(
                    ListConfigResourcesResponse.builder()
                            .errorCode(ErrorCode.UNSUPPORTED_VERSION.code())
                            .build());
            return;
        }
        ClusterImage image = cluster.image();
        List<ConfigResource> resources = new ArrayList<>();
        if (types.contains(TOPIC))
            add(resources, TOPIC, image.topics().stream().map(TopicState::name));
        for (byte perBroker : new byte[] {BROKER, LOGGER}) {
            if (!types.contains(perBroker)) continue;
            add(resources, perBroker, image.brokers().keySet().stream().map(String::valueOf));
        }
        image.configuredResources().stream()
                .filter(resource ->
                        resource.type().id() == METRICS || resource.type().id() == GROUP)
                .filter(resource -> types.contains(resource.type().id()))
                .forEach(resource ->
                        add(resources, resource.type().id(), Stream.of(resource.name())));
        responder.respond(ListConfigResourcesResponse.builder().configResources(resources).build());
    }

    private static void add(List<ConfigResource> resources, byte type, Stream<String> names) {
        names.sorted()
                .forEach(name ->
                        resources.add(
                                ConfigResource.builder()
                                        .resourceType(type)
                                        .resourceName(name)
                                        .build()));
    }
}
