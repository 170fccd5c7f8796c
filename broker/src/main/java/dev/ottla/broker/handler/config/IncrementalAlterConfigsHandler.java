package dev.ottla.broker.handler.config;

import dev.ottla.broker.handler.cluster.Failures;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.controller.AlterConfigs;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.ConfigOp;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.IncrementalAlterConfigsRequest;
import dev.ottla.wire.message.IncrementalAlterConfigsRequest.AlterConfigsResource;
import dev.ottla.wire.message.IncrementalAlterConfigsRequest.AlterableConfig;
import dev.ottla.wire.message.IncrementalAlterConfigsResponse;
import dev.ottla.wire.message.IncrementalAlterConfigsResponse.AlterConfigsResourceResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// IncrementalAlterConfigs: sets, deletes, appends to and subtracts from single keys (KIP-339).
///
/// Errors per resource: INVALID_CONFIG, INVALID_REQUEST, UNKNOWN_TOPIC_OR_PARTITION,
/// NOT_CONTROLLER.
public final class IncrementalAlterConfigsHandler
        implements ApiHandler<IncrementalAlterConfigsRequest> {
    private final MetadataService metadata;
    private final LoggerChanges loggers;

    public IncrementalAlterConfigsHandler(
            int nodeId, MetadataService metadata, LoggerLevels loggers) {
        this.metadata = metadata;
        this.loggers = new LoggerChanges(nodeId, loggers);
    }

    @Override
    public ApiKey api() {
        return ApiKey.INCREMENTAL_ALTER_CONFIGS;
    }

    @Override
    public void handle(
            RequestContext context, IncrementalAlterConfigsRequest request, Responder responder) {
        List<AlterConfigsResourceResponse> results = new ArrayList<>();
        List<AlterConfigs> changes = new ArrayList<>();
        Set<List<Object>> seen = new HashSet<>();
        for (AlterConfigsResource asked : request.resources()) {
            Optional<ConfigResource.Type> type = ConfigResource.Type.of(asked.resourceType());
            boolean again = !seen.add(List.of(asked.resourceType(), asked.resourceName()));
            List<ConfigOp> ops = new ArrayList<>();
            ApiError problem =
                    again ? twice(asked) : type.isEmpty() ? noType(asked) : translate(asked, ops);
            if (problem.isNone()
                    && type.filter(ConfigResource.Type.BROKER_LOGGER::equals).isPresent()) {
                results.add(
                        answer(
                                asked,
                                loggers.apply(asked.resourceName(), ops, request.validateOnly())));
            } else if (problem.isNone() && type.isPresent()) {
                changes.add(
                        new AlterConfigs(
                                new ConfigResource(type.get(), asked.resourceName()), ops));
            } else {
                results.add(answer(asked, problem));
            }
        }

        Failures.whenEnded(
                metadata.submit(
                        controller -> controller.alterConfigs(changes, request.validateOnly())),
                altered -> {
                    altered.forEach(a -> results.add(answer(a.resource(), a.error())));
                    responder.respond(
                            IncrementalAlterConfigsResponse.builder().responses(results).build());
                },
                error -> {
                    changes.forEach(c -> results.add(answer(c.resource(), error)));
                    responder.respond(
                            IncrementalAlterConfigsResponse.builder().responses(results).build());
                },
                responder);
    }

    private static ApiError translate(AlterConfigsResource asked, List<ConfigOp> ops) {
        ConfigOp.Kind[] kinds = ConfigOp.Kind.values();
        for (AlterableConfig config : asked.configs()) {
            int operation = config.configOperation();
            if (operation < 0 || operation >= kinds.length) {
                return ApiError.of(
                        ErrorCode.INVALID_REQUEST,
                        "Operation %d on key %s does not exist: 0 sets, 1 deletes, 2 appends, 3 subtracts.",
                        operation,
                        config.name());
            }
            ops.add(
                    new ConfigOp(
                            config.name(), kinds[operation], Optional.ofNullable(config.value())));
        }
        return ApiError.NONE;
    }

    private static ApiError twice(AlterConfigsResource asked) {
        return ApiError.of(
                ErrorCode.INVALID_REQUEST,
                "Resource '%s' is in the request more than once: name it once, with all its keys.",
                asked.resourceName());
    }

    private static ApiError noType(AlterConfigsResource asked) {
        return ApiError.of(
                ErrorCode.INVALID_REQUEST,
                "There is no kind of resource with number %d.",
                asked.resourceType());
    }

    private static AlterConfigsResourceResponse answer(AlterConfigsResource asked, ApiError error) {
        return answer(asked.resourceType(), asked.resourceName(), error);
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
