package dev.ottla.broker.handler.cluster;

import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.TopicResult;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.DeleteTopicsRequest;
import dev.ottla.wire.message.DeleteTopicsRequest.DeleteTopicState;
import dev.ottla.wire.message.DeleteTopicsResponse;
import dev.ottla.wire.message.DeleteTopicsResponse.DeletableTopicResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// DeleteTopics: by name, or from version 6 on by id too (KIP-516).
///
/// Errors per topic: UNKNOWN_TOPIC_OR_PARTITION, UNKNOWN_TOPIC_ID, INVALID_REQUEST (named by both),
/// TOPIC_DELETION_DISABLED, NOT_CONTROLLER.
public final class DeleteTopicsHandler implements ApiHandler<DeleteTopicsRequest> {
    private static final short FIRST_WITH_IDS = 6;

    private final TimedCommands commands;

    public DeleteTopicsHandler(TimedCommands commands) {
        this.commands = commands;
    }

    @Override
    public ApiKey api() {
        return ApiKey.DELETE_TOPICS;
    }

    @Override
    public void handle(RequestContext context, DeleteTopicsRequest request, Responder responder) {
        Set<String> names = new LinkedHashSet<>();
        Set<Uuid> ids = new LinkedHashSet<>();
        List<DeletableTopicResult> results = new ArrayList<>();
        if (context.version() < FIRST_WITH_IDS) {
            names.addAll(request.topicNames());
        } else {
            for (DeleteTopicState topic : request.topics()) {
                String name = topic.name();
                if (name != null && topic.topicId().isZero()) {
                    names.add(name);
                } else if (name == null && !topic.topicId().isZero()) {
                    ids.add(topic.topicId());
                } else {
                    results.add(
                            answer(
                                    name,
                                    topic.topicId(),
                                    ApiError.of(
                                            ErrorCode.INVALID_REQUEST,
                                            "A topic to delete is named by its name or by its id, by one of them.")));
                }
            }
        }

        Failures.whenEnded(
                commands.submit(
                        context,
                        request.timeoutMs(),
                        c -> c.deleteTopics(List.copyOf(names), List.copyOf(ids))),
                deleted -> {
                    deleted.forEach(each -> results.add(answer(each, context.version())));
                    responder.respond(DeleteTopicsResponse.builder().responses(results).build());
                },
                error -> {
                    names.forEach(name -> results.add(answer(name, Uuid.ZERO, error)));
                    ids.forEach(id -> results.add(answer(null, id, error)));
                    responder.respond(DeleteTopicsResponse.builder().responses(results).build());
                },
                responder);
    }

    /// A topic that was asked for by an id and is unknown has no name; where there are no ids,
    /// there is always a name.
    private static DeletableTopicResult answer(TopicResult deleted, short version) {
        boolean unnamed = deleted.name().isEmpty() && version >= FIRST_WITH_IDS;
        String name = unnamed ? null : deleted.name();
        return answer(name, deleted.id(), deleted.error());
    }

    private static DeletableTopicResult answer(@Nullable String name, Uuid id, ApiError error) {
        return DeletableTopicResult.builder()
                .name(name)
                .topicId(id)
                .errorCode(error.code().code())
                .errorMessage(error.isNone() ? null : error.message())
                .build();
    }
}
