package dev.ottla.broker.peer;

import dev.ottla.broker.network.Dialer;
import dev.ottla.broker.peer.PeerException.Kind;
import dev.ottla.config.HostPort;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.WireException;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ApiVersionsRequest;
import dev.ottla.wire.message.ApiVersionsResponse;
import dev.ottla.wire.message.DescribeClusterRequest;
import dev.ottla.wire.message.DescribeClusterResponse;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A [Peer] on one network loop, which owns all of it.
///
/// | from | to | when |
/// |---|---|---|
/// | idle | opening | a request waits and no pause is to be kept |
/// | opening | greeting | an address of the host took the connection |
/// | opening | idle | none did: what waits fails, a pause begins |
/// | greeting | ready | the other side told its versions, and that it is of the right cluster |
/// | greeting, ready | idle | the connection ended: what was sent fails, a pause begins |
///
/// Requests that were not sent when a ready connection ended wait for the next one.
final class NetworkPeer implements Peer {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkPeer.class);

    /// Requests without an answer; more wait their turn.
    private static final int MAX_IN_FLIGHT = 32;

    private static final int MAX_WAITING = 10_000;
    private static final int MAX_RESPONSE_BYTES = 256 << 20;
    private static final int CONNECT_TIMEOUT_MS = 5_000;
    private static final long FIRST_PAUSE_MS = 20;
    private static final long LONGEST_PAUSE_MS = 1_000;

    /// Every broker since 2019 understands it.
    private static final short GREETING_VERSION = 3;

    private static final short FIRST_VERSION = 0;

    /// What all peers share.
    ///
    /// @param resolver looks up host names
    /// @param closed is told of a peer that was closed
    record Surroundings(Dialer dialer, Executor resolver, Consumer<NetworkPeer> closed) {}

    private enum State {
        IDLE,
        OPENING,
        GREETING,
        READY
    }

    private final Surroundings surroundings;
    private final HostPort address;
    private final String clientId;
    private final Optional<String> clusterId;
    private final EventLoop loop;
    private final ArrayDeque<Call> waiting = new ArrayDeque<>();
    private final ArrayDeque<Call> inFlight = new ArrayDeque<>();

    /// What the other side said it takes, by API.
    private final Map<ApiKey, ApiVersionsResponse.ApiVersion> versions =
            new EnumMap<>(ApiKey.class);

    private State state = State.IDLE;
    private Dialer.@Nullable Line line;
    private boolean pausing;

    /// Whether it is not known yet where to connect to.
    private boolean resolving;

    private long pauseMs = FIRST_PAUSE_MS;
    private int lastCorrelationId;
    private boolean closed;

    /// Why the line is being closed, when this side does it.
    private @Nullable PeerException dropReason;

    /// Written by the loop, read by anyone, for whom a recent value will do.
    private volatile boolean connected;

    /// @param clusterId that the other side must have
    NetworkPeer(
            Surroundings surroundings,
            HostPort address,
            String clientId,
            Optional<String> clusterId) {
        this.surroundings = surroundings;
        this.address = address;
        this.clientId = clientId;
        this.clusterId = clusterId;
        this.loop = surroundings.dialer().nextLoop();
    }

    // Any thread.

    @Override
    public void send(ApiMessage request, long timeoutMs, PeerCallback callback) {
        send(new Call(request, timeoutMs, callback, false));
    }

    @Override
    public CompletableFuture<ApiMessage> ask(ApiMessage request, long timeoutMs) {
        CompletableFuture<ApiMessage> answer = new CompletableFuture<>();
        send(new Call(request, timeoutMs, new Completing(answer), true));
        return answer;
    }

    private void send(Call call) {
        if (!execute(() -> begin(call))) {
            call.callback.onFailure(ended());
        }
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    @Override
    public void close() {
        surroundings.closed().accept(this);
        var _ = execute(this::end);
    }

    @Override
    public String toString() {
        return clientId + " to " + address;
    }

    /// False when the network has ended. Nothing runs within the call, so a callback that asks
    /// again does not come back to itself.
    private boolean execute(Runnable task) {
        try {
            loop.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private PeerException ended() {
        return failure(Kind.CLOSED, "the connection is not used any more");
    }

    private PeerException failure(Kind kind, String what) {
        return new PeerException(kind, "The node at " + address + " did not answer: " + what + ".");
    }

    // On the loop.

    private void begin(Call call) {
        if (closed) {
            fail(call, ended());
        } else if (waiting.size() >= MAX_WAITING) {
            fail(call, failure(Kind.CROWDED, waiting.size() + " requests wait for it already"));
        } else {
            call.timeout =
                    loop.schedule(() -> timedOut(call), call.timeoutMs, TimeUnit.MILLISECONDS);
            waiting.add(call);
            advance();
        }
    }

    private void advance() {
        if (state == State.READY) {
            while (state == State.READY && inFlight.size() < MAX_IN_FLIGHT && !waiting.isEmpty()) {
                transmit(waiting.remove());
            }
        } else if (state == State.IDLE && !pausing && !waiting.isEmpty()) {
            open();
        }
    }

    private void transmit(Call call) {
        Dialer.Line to = line;
        ApiVersionsResponse.ApiVersion theirs = versions.get(call.api);
        short version = call.api.latestVersion(false);
        if (theirs != null) {
            version = (short) Math.min(version, theirs.maxVersion());
            if (version < theirs.minVersion() || version < call.api.oldestVersion()) {
                fail(call, failure(Kind.NOT_UNDERSTOOD, "no version of " + call.api.title()));
                return;
            }
        }
        if (to == null) {
            throw new IllegalStateException(this + " is ready without a line");
        }
        ByteBuf frame;
        try {
            frame = call.write(to.allocator(), version, ++lastCorrelationId, clientId);
        } catch (RuntimeException e) {
            LOG.error("A {} request to {} cannot be written.", call.api.title(), address, e);
            fail(call, failure(Kind.NOT_UNDERSTOOD, "the request cannot be written: " + e));
            return;
        }
        inFlight.add(call);
        to.send(frame);
    }

    private void timedOut(Call call) {
        // A name that takes long says nothing about who bears it.
        PeerException late =
                resolving
                        ? failure(Kind.UNREACHABLE, "its name was not found in time")
                        : failure(Kind.TIMED_OUT, whatTakesLong(call));
        if (waiting.remove(call)) {
            fail(call, late);
        } else if (inFlight.remove(call)) {
            fail(call, late);
            drop(failure(Kind.CLOSED, "an earlier request had no answer in time"));
        }
    }

    private String whatTakesLong(Call call) {
        return switch (state) {
            case IDLE, OPENING ->
                    "it did not take the connection in the %d ms that were left"
                            .formatted(call.timeoutMs);
            case GREETING ->
                    "it took the connection and said nothing for %d ms; it stands still, or is no Kafka listener"
                            .formatted(call.timeoutMs);
            case READY -> "%s took %d ms".formatted(call.api.title(), call.timeoutMs);
        };
    }

    // Opening.

    private void open() {
        state = State.OPENING;
        resolving = true;
        try {
            surroundings.resolver().execute(this::resolve);
        } catch (RejectedExecutionException e) {
            notOpened(failure(Kind.CLOSED, "this node is stopping"));
        }
    }

    /// On the resolver.
    private void resolve() {
        try {
            List<InetAddress> found = Arrays.asList(InetAddress.getAllByName(address.host()));
            var _ = execute(() -> dial(found, 0, false));
        } catch (UnknownHostException e) {
            var _ =
                    execute(() ->
                            notOpened(
                                    failure(
                                            Kind.UNREACHABLE,
                                            "there is no host " + address.host())));
        }
    }

    /// @param mayLive whether one of the addresses before neither took nor refused the connection
    private void dial(List<InetAddress> hosts, int index, boolean mayLive) {
        resolving = false;
        if (closed) {
            return;
        }
        surroundings
                .dialer()
                .dial(
                        loop,
                        new InetSocketAddress(hosts.get(index), address.port()),
                        CONNECT_TIMEOUT_MS,
                        MAX_RESPONSE_BYTES,
                        new Attempt(hosts, index, mayLive));
    }

    private void notOpened(PeerException reason) {
        resolving = false;
        state = State.IDLE;
        pause();
        failAll(waiting, reason);
    }

    /// Before the next attempt.
    private void pause() {
        if (closed) {
            return;
        }
        pausing = true;
        var _ =
                loop.schedule(
                        () -> {
                            pausing = false;
                            advance();
                        },
                        pauseMs,
                        TimeUnit.MILLISECONDS);
        pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
    }

    /// Hears of one attempt to connect, and of the line that came of it.
    private final class Attempt implements Dialer.Events {
        private final List<InetAddress> hosts;
        private final int index;

        private final boolean mayLive;

        Attempt(List<InetAddress> hosts, int index, boolean mayLive) {
            this.hosts = hosts;
            this.index = index;
            this.mayLive = mayLive;
        }

        @Override
        public void onFailed(Throwable cause) {
            boolean doubtful = mayLive || cause instanceof ConnectTimeoutException;
            if (index + 1 < hosts.size()) {
                dial(hosts, index + 1, doubtful);
            } else {
                notOpened(
                        failure(
                                !doubtful && isRefusal(cause) ? Kind.REFUSED : Kind.UNREACHABLE,
                                whyNotOpened(cause)));
            }
        }

        @Override
        public void onOpen(Dialer.Line opened) {
            line = opened;
            if (closed) {
                opened.close();
            } else {
                greet(opened);
            }
        }

        @Override
        public void onFrame(ByteBuf frame) {
            NetworkPeer.this.onFrame(frame);
        }

        @Override
        public void onClosed(Throwable cause) {
            NetworkPeer.this.onClosed(cause);
        }
    }

    /// Netty puts the name of its call and a number before the system's words.
    private static String whyNotOpened(Throwable cause) {
        if (cause instanceof ConnectTimeoutException) {
            return "it did not take the connection within " + CONNECT_TIMEOUT_MS + " ms";
        }
        if (isRefusal(cause)) return "it refused the connection, nothing listens there";
        String words = String.valueOf(cause.getMessage());
        return words.replaceFirst("^.*failed with error\\(-?[0-9]+\\): ", "");
    }

    private static boolean isRefusal(Throwable cause) {
        return cause instanceof ConnectException
                && String.valueOf(cause.getMessage()).contains("refused");
    }

    /// Asks for the versions of the other side, before anything else.
    private void greet(Dialer.Line opened) {
        state = State.GREETING;
        say(
                opened,
                GREETING_VERSION,
                ApiVersionsRequest.builder()
                        .clientSoftwareName("ottla")
                        .clientSoftwareVersion("1")
                        .build(),
                this::onGreeted);
    }

    /// Sends what comes before all requests. When it has no answer, what waits hears of that as the
    /// line is closed.
    private void say(
            Dialer.Line to, short version, ApiMessage message, Consumer<PeerResponse> answered) {
        PeerCallback callback =
                new PeerCallback() {
                    @Override
                    public void onResponse(PeerResponse response) {
                        answered.accept(response);
                    }

                    @Override
                    public void onFailure(PeerException failure) {}
                };
        Call call = new Call(message, CONNECT_TIMEOUT_MS, callback, true);
        call.timeout = loop.schedule(() -> timedOut(call), call.timeoutMs, TimeUnit.MILLISECONDS);
        inFlight.add(call);
        to.send(call.write(to.allocator(), version, ++lastCorrelationId, clientId));
    }

    private void onGreeted(PeerResponse response) {
        ApiVersionsResponse told = (ApiVersionsResponse) response.message();
        versions.clear();
        for (ApiVersionsResponse.ApiVersion each : told.apiKeys()) {
            ApiKey.forId(each.apiKey()).ifPresent(api -> versions.put(api, each));
        }
        if (told.errorCode() != 0) {
            drop(failure(Kind.NOT_UNDERSTOOD, "it does not tell its versions"));
            return;
        }
        Dialer.Line to = line;
        if (clusterId.isEmpty()) {
            ready();
        } else if (to != null) {
            say(to, FIRST_VERSION, DescribeClusterRequest.builder().build(), this::onIdentified);
        }
    }

    private void onIdentified(PeerResponse response) {
        DescribeClusterResponse told = (DescribeClusterResponse) response.message();
        if (told.errorCode() != 0) {
            drop(failure(Kind.NOT_UNDERSTOOD, "it does not tell its cluster"));
        } else if (clusterId.get().equals(told.clusterId())) {
            ready();
        } else {
            drop(
                    failure(
                            Kind.OTHER_CLUSTER,
                            "it belongs to another cluster, %s, and this node to %s"
                                    .formatted(told.clusterId(), clusterId.get())));
        }
    }

    private void ready() {
        state = State.READY;
        connected = true;
        pauseMs = FIRST_PAUSE_MS;
        advance();
    }

    // Answers and the end.

    private void onFrame(ByteBuf frame) {
        Call call = inFlight.peek();
        if (call == null || call.correlationId() != Call.correlationIdOf(frame)) {
            frame.release();
            drop(failure(Kind.NOT_UNDERSTOOD, "it answered what it was not asked"));
            return;
        }
        PeerResponse response;
        try {
            response = call.read(frame);
        } catch (WireException e) {
            drop(failure(Kind.NOT_UNDERSTOOD, "its answer is broken, " + e.getMessage()));
            return;
        }
        inFlight.remove();
        call.cancelTimeout();
        guard(() -> call.callback.onResponse(response));
        advance();
    }

    /// Closes the line; what waits for answers fails for that reason.
    private void drop(PeerException reason) {
        if (line != null && dropReason == null) {
            dropReason = reason;
            line.close();
        }
    }

    private void onClosed(Throwable cause) {
        PeerException reason = dropReason;
        if (reason == null) {
            reason =
                    failure(
                            Kind.CLOSED,
                            "the connection broke (%s)%s"
                                    .formatted(
                                            cause.getMessage(),
                                            state == State.GREETING
                                                    ? ", it may be no Kafka listener"
                                                    : ""));
        }
        boolean wasReady = state == State.READY;
        state = State.IDLE;
        line = null;
        dropReason = null;
        connected = false;
        pause();
        failAll(inFlight, reason);
        if (!wasReady) {
            failAll(waiting, reason);
        }
    }

    private void end() {
        if (closed) {
            return;
        }
        closed = true;
        connected = false;
        PeerException reason = ended();
        failAll(waiting, reason);
        failAll(inFlight, reason);
        drop(reason);
    }

    /// Those that come meanwhile are not meant.
    private void failAll(ArrayDeque<Call> calls, PeerException reason) {
        List<Call> all = List.copyOf(calls);
        calls.clear();
        all.forEach(call -> fail(call, reason));
    }

    private void fail(Call call, PeerException reason) {
        call.cancelTimeout();
        guard(() -> call.callback.onFailure(reason));
    }

    private void guard(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException e) {
            LOG.error("What waited for an answer of {} failed at it.", address, e);
        }
    }

    private record Completing(CompletableFuture<ApiMessage> answer) implements PeerCallback {
        @Override
        public void onResponse(PeerResponse response) {
            answer.complete(response.message());
        }

        @Override
        public void onFailure(PeerException failure) {
            answer.completeExceptionally(failure);
        }
    }
}
