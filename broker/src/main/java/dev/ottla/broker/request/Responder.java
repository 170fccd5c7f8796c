package dev.ottla.broker.request;

import dev.ottla.wire.ApiMessage;
import java.util.function.Consumer;

/// The way to answer one request. Thread-safe; exactly one of `respond`, `noResponse` and `close`
/// is called, exactly once. Whoever goes on with a request in a callback, on a shard or on another
/// thread, does so under [#guard]. Answers leave a connection in the order of its requests,
/// whatever the order in which they are given.
public interface Responder {
    /// Answers with `response`, written in the request's version. Log payloads inside it pass to
    /// the connection, which releases them after sending or when it is closed.
    void respond(ApiMessage response);

    /// The request is done and asks for no answer (produce with acks=0).
    void noResponse();

    /// The broker failed at the request, whatever was answered before. One line in the log, and the
    /// connection closes unless an answer is on its way.
    void failed(Throwable failure);

    /// Runs what leads to the answer. When it throws, the request has failed: nobody waits for an
    /// answer that does not come, and the thread goes on.
    default void guard(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | OutOfMemoryError e) {
            failed(e);
        }
    }

    /// The same for a step that somebody else runs.
    default Runnable guarded(Runnable step) {
        return () -> guard(step);
    }

    /// The same for a step that takes what somebody else found.
    default <T> Consumer<T> guarding(Consumer<T> step) {
        return found -> guard(() -> step.accept(found));
    }

    /// Closes the connection; `reason` is a sentence for the log that says what the client did
    /// wrong.
    void close(String reason);
}
