package dev.ottla.broker.handler.voting;

import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.wire.ErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What became of a change of the voters.
final class VoterErrors {
    private static final Logger LOG = LoggerFactory.getLogger(VoterErrors.class);

    private VoterErrors() {}

    static ApiError otherCluster(String clusterId) {
        return new ApiError(
                ErrorCode.INCONSISTENT_CLUSTER_ID,
                "This node belongs to the cluster with id %s.".formatted(clusterId));
    }

    static void whenEnded(
            CompletableFuture<ApiError> change, Consumer<ApiError> answer, Responder request) {
        var _ =
                change.whenComplete((result, failure) ->
                        request.guard(() -> answer.accept(failure == null ? result : of(failure))));
    }

    private static ApiError of(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof NotControllerException) {
            return new ApiError(ErrorCode.NOT_CONTROLLER, String.valueOf(cause.getMessage()));
        }
        LOG.warn("The voters of the quorum were not changed: {}", reason(cause));
        return new ApiError(
                ErrorCode.REQUEST_TIMED_OUT,
                "The voters were not changed: %s".formatted(reason(cause)));
    }

    private static String reason(Throwable cause) {
        String message = cause.getMessage();
        return message == null ? cause.toString() : message;
    }
}
