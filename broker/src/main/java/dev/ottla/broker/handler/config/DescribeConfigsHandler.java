package dev.ottla.broker.handler.config;

import dev.ottla.broker.handler.cluster.ClusterView;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.config.ConfigDescriber;
import dev.ottla.config.ConfigEntry;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.ConfigSource;
import dev.ottla.config.ConfigType;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.TopicNames;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.DescribeConfigsRequest;
import dev.ottla.wire.message.DescribeConfigsRequest.DescribeConfigsResource;
import dev.ottla.wire.message.DescribeConfigsResponse;
import dev.ottla.wire.message.DescribeConfigsResponse.DescribeConfigsResourceResult;
import dev.ottla.wire.message.DescribeConfigsResponse.DescribeConfigsResult;
import dev.ottla.wire.message.DescribeConfigsResponse.DescribeConfigsSynonym;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// DescribeConfigs: every key of a resource with its value, where it comes from, and what it means.
///
/// Errors per resource: UNKNOWN_TOPIC_OR_PARTITION, INVALID_TOPIC_EXCEPTION, INVALID_REQUEST
/// (another broker's id, an unknown kind of resource).
public final class DescribeConfigsHandler implements ApiHandler<DescribeConfigsRequest> {
    private final ClusterView cluster;
    private final Supplier<ConfigResolver> config;
    private final LoggerLevels loggers;

    public DescribeConfigsHandler(
            ClusterView cluster, Supplier<ConfigResolver> config, LoggerLevels loggers) {
        this.cluster = cluster;
        this.config = config;
        this.loggers = loggers;
    }

    @Override
    public ApiKey api() {
        return ApiKey.DESCRIBE_CONFIGS;
    }

    @Override
    public void handle(
            RequestContext context, DescribeConfigsRequest request, Responder responder) {
        ClusterImage image = cluster.image();
        ConfigDescriber describer = new ConfigDescriber(config.get(), cluster.nodeId());
        List<DescribeConfigsResult> results =
                request.resources().stream()
                        .map(resource -> describe(resource, request, image, describer))
                        .toList();
        responder.respond(DescribeConfigsResponse.builder().results(results).build());
    }

    private DescribeConfigsResult describe(
            DescribeConfigsResource asked,
            DescribeConfigsRequest request,
            ClusterImage image,
            ConfigDescriber describer) {
        Optional<ConfigResource.Type> type = ConfigResource.Type.of(asked.resourceType());
        if (type.isEmpty()) {
            return refuse(
                    asked,
                    ApiError.of(
                            ErrorCode.INVALID_REQUEST,
                            "There is no kind of resource with number %d.",
                            asked.resourceType()));
        }
        Optional<ApiError> problem = problem(type.get(), asked.resourceName(), image);
        if (problem.isPresent()) return refuse(asked, problem.get());
        List<String> keys = asked.configurationKeys();
        Set<String> wanted = keys == null ? Set.of() : Set.copyOf(keys);
        Predicate<String> isWanted = name -> wanted.isEmpty() || wanted.contains(name);
        List<DescribeConfigsResourceResult> configs =
                type.get() == ConfigResource.Type.BROKER_LOGGER
                        ? loggers(isWanted)
                        : entries(
                                        new ConfigResource(type.get(), asked.resourceName()),
                                        image,
                                        describer)
                                .stream()
                                .filter(entry -> isWanted.test(entry.name()))
                                .map(entry -> describe(entry, request))
                                .toList();
        return DescribeConfigsResult.builder()
                .resourceType(asked.resourceType())
                .resourceName(asked.resourceName())
                .configs(configs)
                .build();
    }

    private Optional<ApiError> problem(ConfigResource.Type type, String name, ClusterImage image) {
        return switch (type) {
            case TOPIC -> {
                Optional<String> badName = TopicNames.problem(name);
                if (badName.isPresent()) {
                    yield Optional.of(
                            new ApiError(ErrorCode.INVALID_TOPIC_EXCEPTION, badName.get()));
                }
                yield image.topic(name).isPresent()
                        ? Optional.empty()
                        : Optional.of(
                                ApiError.of(
                                        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                                        "Topic %s does not exist.",
                                        name));
            }
            case BROKER -> name.isEmpty() ? Optional.empty() : otherBroker(name);
            case BROKER_LOGGER -> otherBroker(name);
            case GROUP, CLIENT_METRICS ->
                    name.isEmpty()
                            ? Optional.of(
                                    ApiError.of(
                                            ErrorCode.INVALID_REQUEST,
                                            "The name of a %s must not be empty.",
                                            type.words()))
                            : Optional.empty();
        };
    }

    private Optional<ApiError> otherBroker(String name) {
        if (name.equals(Integer.toString(cluster.nodeId()))) return Optional.empty();
        return Optional.of(
                ApiError.of(
                        ErrorCode.INVALID_REQUEST,
                        "This is broker %d and '%s' was asked for: send the request to that broker.",
                        cluster.nodeId(),
                        name));
    }

    private static List<ConfigEntry> entries(
            ConfigResource resource, ClusterImage image, ConfigDescriber describer) {
        return switch (resource.type()) {
            case TOPIC ->
                    describer.topic(
                            image.config(resource),
                            image.topic(resource.name())
                                    .flatMap((TopicState topic) -> topic.partition(0))
                                    .map((PartitionState first) -> first.replicas().size())
                                    .orElse(1));
            case BROKER -> resource.name().isEmpty() ? describer.cluster() : describer.broker();
            case GROUP -> describer.group(image.config(resource));
            case CLIENT_METRICS -> describer.clientMetrics(image.config(resource));
            case BROKER_LOGGER -> List.of();
        };
    }

    private static DescribeConfigsResourceResult describe(
            ConfigEntry entry, DescribeConfigsRequest request) {
        DescribeConfigsResourceResult.Builder result =
                DescribeConfigsResourceResult.builder()
                        .name(entry.name())
                        .value(entry.value().orElse(null))
                        .readOnly(entry.readOnly())
                        .configSource(entry.source().code())
                        .isSensitive(entry.key().sensitive())
                        .configType(entry.key().type().code());
        if (request.includeSynonyms()) {
            result.synonyms(
                    entry.synonyms().stream().map(DescribeConfigsHandler::describe).toList());
        }
        if (request.includeDocumentation()) result.documentation(entry.key().documentation());
        return result.build();
    }

    private static DescribeConfigsSynonym describe(ConfigEntry.Origin origin) {
        return DescribeConfigsSynonym.builder()
                .name(origin.name())
                .value(origin.value().orElse(null))
                .source(origin.source().code())
                .build();
    }

    private List<DescribeConfigsResourceResult> loggers(Predicate<String> isWanted) {
        return loggers.levels().entrySet().stream()
                .filter(logger -> isWanted.test(logger.getKey()))
                .map(logger ->
                        DescribeConfigsResourceResult.builder()
                                .name(logger.getKey())
                                .value(logger.getValue())
                                .configSource(ConfigSource.BROKER_LOGGER.code())
                                .configType(ConfigType.STRING.code())
                                .build())
                .toList();
    }

    private static DescribeConfigsResult refuse(DescribeConfigsResource asked, ApiError error) {
        return DescribeConfigsResult.builder()
                .errorCode(error.code().code())
                .errorMessage(error.message())
                .resourceType(asked.resourceType())
                .resourceName(asked.resourceName())
                .build();
    }
}
