package dev.ottla.broker.request;

import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.BufferWriter;
import dev.ottla.wire.WireReader;
import dev.ottla.wire.message.ApiKey;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Asks a handler as the network does: request and answer pass through their bytes in the version
/// that is asked for, so fields that a version has not are lost on the way.
public final class Asked {
    private Asked() {}

    /// The answer of `handler` in the handler's own API.
    public static <Q extends ApiMessage, R extends ApiMessage> R ask(
            ApiHandler<Q> handler, int version, Q request, Class<R> answer) {
        return ask(handler, version, request, answer, 0);
    }

    /// As above.
    ///
    /// @param receivedNs monotonic time of the request
    public static <Q extends ApiMessage, R extends ApiMessage> R ask(
            ApiHandler<Q> handler, int version, Q request, Class<R> answer, long receivedNs) {
        return answer.cast(
                begin(handler, version, request, receivedNs)
                        .orTimeout(20, TimeUnit.SECONDS)
                        .join());
    }

    /// What becomes the answer when there is one.
    public static <Q extends ApiMessage> CompletableFuture<ApiMessage> begin(
            ApiHandler<Q> handler, int version, Q request, long receivedNs) {
        CompletableFuture<ApiMessage> answered = new CompletableFuture<>();
        ApiKey api = handler.api();
        short asked = (short) version;
        RequestContext context =
                new RequestContext(
                        api,
                        asked,
                        1,
                        "a-client",
                        new FakeConnection(),
                        RequestMemory.UNCOUNTED,
                        receivedNs);
        handler.handle(context, request, new Capture(answered));
        return answered.thenApply(response -> {
            ByteBuffer bytes = ByteBuffer.allocate(response.size(asked));
            response.write(new BufferWriter(bytes), asked);
            return api.readResponse(new WireReader(bytes.flip()), asked);
        });
    }

    private record Capture(CompletableFuture<ApiMessage> answered) implements Responder {
        @Override
        public void respond(ApiMessage response) {
            if (!answered.complete(response)) {
                throw new IllegalStateException("a request was answered twice");
            }
        }

        @Override
        public void failed(Throwable failure) {
            answered.completeExceptionally(failure);
        }

        @Override
        public void noResponse() {
            answered.completeExceptionally(new IllegalStateException("no answer was given"));
        }

        @Override
        public void close(String reason) {
            answered.completeExceptionally(new IllegalStateException("closed: " + reason));
        }
    }
}
