package dev.ottla.broker.network;

import static dev.ottla.wire.Check.check;

import dev.ottla.broker.request.RequestMemory;
import dev.ottla.broker.request.Responder;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.message.ApiKey;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One request and its place in the order of answers. Answered by any thread, once; the rest is
/// owned by the network loop.
final class Exchange implements Responder, RequestMemory {
    /// How a request ended.
    sealed interface Outcome {
        record Answer(ApiMessage response) implements Outcome {}

        record Silence() implements Outcome {}

        record Close(String reason) implements Outcome {}

        /// The broker's own fault.
        record Failure() implements Outcome {}
    }

    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    private static final Outcome SILENCE = new Outcome.Silence();
    private static final Outcome FAILED = new Outcome.Failure();

    final Connection connection;
    final ApiKey api;
    final short version;
    final int correlationId;
    final int frameBytes;
    final long receivedNs;
    private final ByteBuf frame;

    /// Written once by whoever answers, read by the loop after the hand-over through the loop's
    /// queue.
    private final AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();

    /// Link in the loop's queue of answered exchanges.
    @Nullable Exchange nextAnswered;

    /// Loop only: the request holds no memory any more and may be sent when its turn comes.
    boolean settled;

    /// Loop only: it will not be sent, and what its answer held was released.
    boolean discarded;

    /// Loop only: time the loop spent on the request before the handler returned.
    long handledNs;

    Exchange(Connection connection, RequestFrame request, long receivedNs) {
        this.connection = connection;
        this.api = request.api();
        this.version = request.version();
        this.correlationId = request.correlationId();
        this.frame = request.buffer();
        this.frameBytes = frame.capacity();
        this.receivedNs = receivedNs;
    }

    @Override
    public void respond(ApiMessage response) {
        check(response.apiKey() == api.id(), "%s answered with %s", api, response.getClass());
        answer(new Outcome.Answer(response));
    }

    @Override
    public void noResponse() {
        answer(SILENCE);
    }

    @Override
    public void close(String reason) {
        answer(new Outcome.Close(reason));
    }

    @Override
    public void failed(Throwable failure) {
        LOG.error("A {} request of {} failed.", api.title(), connection.remoteAddress(), failure);
        if (outcome.compareAndSet(null, FAILED)) {
            connection.answered(this);
        }
    }

    @Override
    public void retain() {
        frame.retain();
    }

    @Override
    public void release() {
        frame.release();
    }

    Outcome outcome() {
        Outcome given = outcome.get();
        if (given == null) {
            throw new IllegalStateException(api + " is not answered yet");
        }
        return given;
    }

    private void answer(Outcome given) {
        check(outcome.compareAndSet(null, given), "%s was answered twice", api);
        connection.answered(this);
    }
}
