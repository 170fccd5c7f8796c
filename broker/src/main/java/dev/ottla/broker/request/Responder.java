package dev.ottla.broker.request;

import dev.ottla.wire.ApiMessage;

/// The way to answer one request. Thread-safe; exactly one of the methods is called, exactly once.
/// Answers leave a connection in the order of its requests, whatever the order in which they are
/// given.
public interface Responder {
    /// Answers with `response`, written in the request's version. Log payloads inside it pass to
    /// the connection, which releases them after sending or when it is closed.
    void respond(ApiMessage response);

    /// The request is done and asks for no answer (produce with acks=0).
    void noResponse();

    /// Closes the connection; `reason` is a sentence for the log that says what the client did
    /// wrong.
    void close(String reason);
}
