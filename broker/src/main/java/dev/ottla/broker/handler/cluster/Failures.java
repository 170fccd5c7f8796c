package dev.ottla.broker.handler.cluster;

import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.wire.ErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a client is told when the controller could not carry out a command at all.
public final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private Failures() {}

    /// Calls one of the two, once, when `command` has ended; on the thread that ends it.
    ///
    /// @param request whose request it is; it has failed when the one that is called throws
    public static <R> void whenEnded(
            CompletableFuture<R> command,
            Consumer<R> done,
            Consumer<ApiError> failed,
            Responder request) {
        var _ =
                command.whenComplete((result, failure) ->
                        request.guard(() -> {
                            if (failure == null) done.accept(result);
                            else failed.accept(of(failure));
                        }));
    }

    /// NOT_CONTROLLER when trying again may help, REQUEST_TIMED_OUT when the controller came too
    /// late to it, otherwise UNKNOWN_SERVER_ERROR with a line in the log.
    static ApiError of(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof NotControllerException) {
            return new ApiError(ErrorCode.NOT_CONTROLLER, String.valueOf(cause.getMessage()));
        }
        if (cause instanceof TimedCommands.TooLateException) {
            return new ApiError(ErrorCode.REQUEST_TIMED_OUT, String.valueOf(cause.getMessage()));
        }
        LOG.error("A request failed in a way it should not have.", cause);
        return new ApiError(
                ErrorCode.UNKNOWN_SERVER_ERROR,
                "The broker failed to carry out the request; its log says why.");
    }
}
