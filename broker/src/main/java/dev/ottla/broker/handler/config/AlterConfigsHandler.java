package dev.ottla.broker.handler.config;

import dev.ottla.broker.handler.cluster.Failures;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.ReplaceConfigs;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.AlterConfigsRequest;
import dev.ottla.wire.message.AlterConfigsRequest.AlterConfigsResource;
import dev.ottla.wire.message.AlterConfigsResponse;
import dev.ottla.wire.message.AlterConfigsResponse.AlterConfigsResourceResponse;
import dev.ottla.wire.message.ApiKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// AlterConfigs: replaces the whole configuration of a resource; what the request does not name is
/// removed. Old clients use it, new ones the incremental API.
///
/// Errors per resource: INVALID_CONFIG, INVALID_REQUEST, UNKNOWN_TOPIC_OR_PARTITION,
/// NOT_CONTROLLER.
public final class AlterConfigsHandler implements ApiHandler<AlterConfigsRequest> {
    private final MetadataService metadata;

    public AlterConfigsHandler(MetadataService metadata) {
        this.metadata = metadata;
    }

    @Override
    public ApiKey api() {
        return ApiKey.ALTER_CONFIGS;
    }

    @Override
    public void handle(RequestContext context, AlterConfigsRequest request, Responder responder) {
        List<AlterConfigsResourceResponse> results = new ArrayList<>();
        List<ReplaceConfigs> changes = new ArrayList<>();
        Set<ConfigResource> seen = new HashSet<>();
        for (AlterConfigsResource asked : request.resources()) {
            Optional<ConfigResource> resource =
                    ConfigResource.Type.of(asked.resourceType())
                            .filter(type -> type != ConfigResource.Type.BROKER_LOGGER)
                            .map(type -> new ConfigResource(type, asked.resourceName()));
            if (resource.isEmpty()) {
                results.add(
                        answer(
                                asked.resourceType(),
                                asked.resourceName(),
                                ApiError.of(
                                        ErrorCode.INVALID_REQUEST,
                                        "The configuration of resource kind %d cannot be replaced as a whole: use the incremental API.",
                                        asked.resourceType())));
            } else if (!seen.add(resource.get())) {
                results.add(
                        answer(
                                resource.get(),
                                ApiError.of(
                                        ErrorCode.INVALID_REQUEST,
                                        "%s is in the request more than once: name it once.",
                                        resource.get())));
            } else {
                changes.add(new ReplaceConfigs(resource.get(), configs(asked)));
            }
        }

        Failures.whenEnded(
                metadata.submit(
                        controller -> controller.replaceConfigs(changes, request.validateOnly())),
                replaced -> {
                    replaced.forEach(r -> results.add(answer(r.resource(), r.error())));
                    responder.respond(AlterConfigsResponse.builder().responses(results).build());
                },
                error -> {
                    changes.forEach(c -> results.add(answer(c.resource(), error)));
                    responder.respond(AlterConfigsResponse.builder().responses(results).build());
                },
                responder);
    }

    private static Map<String, Optional<String>> configs(AlterConfigsResource asked) {
        Map<String, Optional<String>> configs = new HashMap<>();
        asked.configs().forEach(c -> configs.put(c.name(), Optional.ofNullable(c.value())));
        return configs;
    }

    private static AlterConfigsResourceResponse answer(ConfigResource resource, ApiError error) {
        return answer(resource.type().id(), resource.name(), error);
    }

    private static AlterConfigsResourceResponse answer(byte type, String name, ApiError error) {
        return AlterConfigsResourceResponse.builder()
                .errorCode(error.code().code())
                .errorMessage(error.isNone() ? null : error.message())
                .resourceType(type)
                .resourceName(name)
                .build();
    }
}
