package dev.ottla.broker.network;

import dev.ottla.broker.request.ClientConnection;
import dev.ottla.wire.message.ApiKey;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One client's socket: frames in, answers out in the order of their requests. Owned by its network
/// loop.
///
/// Reading stops, by not asking the socket for more, while a frame is not admitted: too many
/// requests unanswered, the memory of this connection or of all spent, shards far behind, or the
/// client not taking its answers. Bytes then wait in the client's own socket. It goes on when an
/// answer left or, for what others hold, a few milliseconds later.
///
/// Reading stops, too, when what a client sent at once has taken its slice of the loop's time: the
/// other connections come first, then it goes on (`NetworkLoop.resumeLater`). Whatever lets a
/// connection go on leads through that queue, so none is gone on with twice while others wait.
///
/// When the broker stops, nothing more is read, what was read is answered, and the connection
/// closes with the last answer. Requests that wait for other clients are not waited for, because
/// those are not read either.
final class Connection extends ChannelInboundHandlerAdapter
        implements ClientConnection, FrameReader.Sink {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);
    private static final long NS_PER_MS = 1_000_000;

    /// Unsent bytes above which further answers should not take memory.
    private static final long SLOW_BYTES = 1 << 20;

    /// The loop's time for requests of one connection before others have theirs. The request that
    /// goes beyond it is finished, and there is always one.
    static final long SLICE_NS = 500_000;

    private final Channel channel;
    private final NetworkLoop loop;
    private final NetworkParts parts;
    private final String listenerName;
    private final InetSocketAddress localAddress;
    private final InetSocketAddress remoteAddress;
    private final FrameReader reader;
    private final ArrayDeque<Exchange> inFlight = new ArrayDeque<>(4);
    private long heldBytes;
    private int arrivingBytes;
    private long frameStartNs;
    private long lastActivityNs;
    private final Map<Class<?>, Object> attachments = new HashMap<>(4);
    private final List<Runnable> afterwards = new ArrayList<>(0);
    private boolean reading;
    private long sliceStartNs;
    private boolean sliceUsed;
    private boolean flushPending;
    private boolean closed;
    private boolean draining;

    /// Written by the loop when the client introduces itself, read by whoever describes the client;
    /// either value will do.
    private volatile String softwareName = "";

    private volatile String softwareVersion = "";

    Connection(Channel channel, NetworkLoop loop, NetworkParts parts, String listenerName) {
        this.channel = channel;
        this.loop = loop;
        this.parts = parts;
        this.listenerName = listenerName;
        this.localAddress = (InetSocketAddress) channel.localAddress();
        this.remoteAddress = (InetSocketAddress) channel.remoteAddress();
        this.lastActivityNs = loop.nowNs();
        this.reader =
                new FrameReader(
                        parts.settings().maxFrameBytes(), loop.scratch(), channel.alloc(), this);
        channel.config().setRecvByteBufAllocator(reader);
    }

    // Frames in.

    @Override
    public void channelActive(ChannelHandlerContext context) {
        loop.add(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        loop.willFlush();
        if (!reading) {
            reading = true;
            beginSlice();
        }
        try {
            reader.onRead((ByteBuf) message);
        } catch (Throwable e) {
            closeAfter(e);
        }
        if (reader.isPaused()) {
            channel.config().setAutoRead(false);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        reading = false;
        loop.readComplete();
    }

    @Override
    public boolean admit(int sizeBytes) {
        if (closed
                || draining
                || inFlight.size() >= parts.settings().maxInFlightRequests()
                || !channel.isWritable()) {
            return false;
        }
        if (heldBytes > 0 && heldBytes + sizeBytes > parts.settings().connectionMemoryBytes()) {
            return false;
        }
        if (!hasTime()) {
            loop.resumeLater(this);
            return false;
        }
        if (parts.overloaded().getAsBoolean() || !parts.budget().tryReserve(sizeBytes)) {
            loop.retryLater(this);
            return false;
        }
        heldBytes += sizeBytes;
        arrivingBytes = sizeBytes;
        frameStartNs = loop.nowNs();
        sliceUsed = true;
        return true;
    }

    private void beginSlice() {
        sliceStartNs = loop.nowNs();
        sliceUsed = false;
    }

    @Override
    public boolean hasTime() {
        return !sliceUsed || loop.nowNs() - sliceStartNs < SLICE_NS;
    }

    @Override
    public void onFrame(ByteBuf frame) {
        arrivingBytes = 0;
        lastActivityNs = loop.nowNs();
        parts.dispatcher().dispatch(this, frame);
    }

    @Override
    public boolean isMemoryPlentiful() {
        return parts.budget().isPlentiful();
    }

    @Override
    public void keepsAside(int moreBytes) {
        parts.budget().keepAside(moreBytes);
    }

    /// The dispatcher made an exchange of the last frame: its answer has its place now.
    void begin(Exchange exchange) {
        inFlight.add(exchange);
    }

    /// Closes for a fault of the client's, with the one log line that it gets. `kind` is a word for
    /// the metrics.
    void closeBecause(String kind, String what) {
        if (!closed) {
            parts.metrics().rejectedFrame(kind);
            LOG.info(
                    "Closing the connection from {} to listener {}: the client {}.",
                    remoteAddress,
                    listenerName,
                    what);
            close();
        }
    }

    long nowNs() {
        return loop.nowNs();
    }

    void close() {
        closed = true;
        var _ = channel.close();
    }

    /// The frame's memory was given back without an exchange.
    void forgetFrame(ByteBuf frame) {
        returnMemory(frame.capacity());
        frame.release();
    }

    private void returnMemory(int sizeBytes) {
        heldBytes -= sizeBytes;
        parts.budget().release(sizeBytes);
    }

    /// The connection's turn among those that asked to go on.
    void resume() {
        if (closed) {
            return;
        }
        try {
            sendInOrder();
            maybeResume();
            closeIfDrained();
        } catch (Throwable e) {
            closeAfter(e);
        }
    }

    /// Something that may have kept the connection from reading has changed.
    void maybeResume() {
        if (closed || !channel.isOpen() || !reader.isPaused()) {
            return;
        }
        beginSlice();
        try {
            if (reader.resume()) {
                channel.config().setAutoRead(true);
            }
        } catch (Throwable e) {
            closeAfter(e);
        }
    }

    /// What fails on behalf of this connection, an error of the machine too, ends it and nothing
    /// else, as where the transport calls it: others have their answers in the same queues.
    private void closeAfter(Throwable failure) {
        if (failure instanceof FrameReader.BadFrameException bad) {
            closeBecause("frame-size", bad.what());
        } else if (failure instanceof OutOfMemoryError) {
            closeBecause("memory", "no memory for its request");
        } else if (failure instanceof IOException) {
            LOG.debug("Lost the connection from {}: {}", remoteAddress, failure.getMessage());
            close();
        } else {
            LOG.error("Closing the connection from {} after a failure.", remoteAddress, failure);
            close();
        }
    }

    /// Closes when a frame does not arrive in time, or when nothing happened for long and nobody
    /// waits for an answer.
    void closeIfOverdue(long nowNs) {
        if (arrivingBytes > 0
                && nowNs - frameStartNs > parts.settings().frameTimeoutMs() * NS_PER_MS) {
            closeBecause(
                    "frame-timeout",
                    "sent only part of a frame of " + arrivingBytes + " bytes in time");
            return;
        }
        long maxIdleMs = parts.settings().connectionsMaxIdleMs();
        if (maxIdleMs > 0 && inFlight.isEmpty() && nowNs - lastActivityNs > maxIdleMs * NS_PER_MS) {
            LOG.debug("Closing the idle connection from {}.", remoteAddress);
            close();
        }
    }

    /// Reads no more, and closes when everything that was read is answered.
    void drain() {
        draining = true;
        if (channel.isRegistered()) {
            channel.config().setAutoRead(false);
        }
        closeIfDrained();
    }

    private void closeIfDrained() {
        if (draining && !closed && !owesAnswer()) {
            closed = true;
            var _ =
                    channel.writeAndFlush(Unpooled.EMPTY_BUFFER)
                            .addListener(ChannelFutureListener.CLOSE);
        }
    }

    /// Answers leave in order, so it is the first that counts.
    private boolean owesAnswer() {
        Exchange next = inFlight.peek();
        return next != null
                && (next.settled
                        || (next.api != ApiKey.JOIN_GROUP && next.api != ApiKey.SYNC_GROUP));
    }

    // Answers out.

    /// Any thread.
    void answered(Exchange exchange) {
        loop.exchangeAnswered(exchange);
    }

    /// The exchange was answered: its memory is free, and whatever is next in order is sent.
    private void settle(Exchange exchange) {
        returnMemory(exchange.frameBytes);
        exchange.release();
        exchange.settled = true;
        if (closed) {
            discard(exchange);
        } else {
            sendInOrder();
            if (reader.isPaused()) {
                loop.resumeLater(this);
            }
            closeIfDrained();
        }
    }

    /// As above; a failure ends this connection and nothing else.
    void settleSafely(Exchange exchange) {
        try {
            settle(exchange);
        } catch (Throwable e) {
            closeAfter(e);
        }
    }

    /// The exchange was answered after the end of the loop: what it holds is given back. Any
    /// thread.
    void abandon(Exchange exchange) {
        parts.budget().release(exchange.frameBytes);
        exchange.release();
        discard(exchange);
    }

    private void sendInOrder() {
        Exchange next = inFlight.peek();
        while (next != null && next.settled && !closed) {
            if (next.outcome() instanceof Exchange.Outcome.Answer && !channel.isWritable()) {
                return;
            }
            inFlight.remove();
            send(next);
            next = inFlight.peek();
        }
    }

    private void send(Exchange exchange) {
        switch (exchange.outcome()) {
            case Exchange.Outcome.Answer answer -> write(exchange, answer);
            case Exchange.Outcome.Silence _ -> {
                lastActivityNs = loop.nowNs();
                parts.dispatcher().answered(exchange, 0, lastActivityNs);
            }
            case Exchange.Outcome.Close close -> {
                parts.dispatcher().failed(exchange);
                closeBecause("request", close.reason());
            }
            case Exchange.Outcome.Failure _ -> {
                parts.dispatcher().failed(exchange);
                close();
            }
        }
    }

    private void write(Exchange exchange, Exchange.Outcome.Answer answer) {
        long startNs = loop.nowNs();
        int bytes;
        try {
            bytes = ResponseWriter.write(channel, exchange, answer.response());
        } catch (Throwable e) {
            LOG.error(
                    "Closing the connection from {}: its answer to {} version {} cannot be sent.",
                    remoteAddress,
                    exchange.api.title(),
                    exchange.version,
                    e);
            parts.dispatcher().failed(exchange);
            close();
            return;
        }
        lastActivityNs = loop.nowNs();
        exchange.handledNs += lastActivityNs - startNs;
        if (answer.response().hasError()) {
            parts.dispatcher().failed(exchange);
        }
        parts.dispatcher().answered(exchange, bytes, lastActivityNs);
        if (!flushPending) {
            flushPending = true;
            loop.flushLater(this);
        }
    }

    void flush() {
        flushPending = false;
        channel.flush();
    }

    private static void discard(Exchange exchange) {
        if (!exchange.discarded && exchange.outcome() instanceof Exchange.Outcome.Answer answer) {
            exchange.discarded = true;
            LogPayloads.release(answer.response());
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (channel.isWritable() && (reader.isPaused() || !inFlight.isEmpty())) {
            loop.resumeLater(this);
        }
    }

    // The end.

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        closed = true;
        loop.remove(this);
        if (arrivingBytes > 0) {
            heldBytes -= arrivingBytes;
            parts.budget().release(arrivingBytes);
            arrivingBytes = 0;
        }
        reader.close();
        for (Exchange exchange : inFlight) {
            if (exchange.settled) {
                discard(exchange);
            }
        }
        inFlight.clear();
        afterwards.forEach(Runnable::run);
        afterwards.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        closeAfter(cause);
    }

    /// For tests.
    int socketOption(ChannelOption<Integer> option) {
        return channel.config().getOption(option);
    }

    // What handlers see.

    @Override
    public String listenerName() {
        return listenerName;
    }

    @Override
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return remoteAddress;
    }

    @Override
    public Executor loop() {
        return loop;
    }

    @Override
    public int loopIndex() {
        return loop.index();
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public boolean isSlow() {
        long allowed = channel.config().getWriteBufferHighWaterMark();
        return allowed - channel.bytesBeforeUnwritable() > Math.min(allowed - 1, SLOW_BYTES);
    }

    @Override
    public <T> T attachment(Class<T> type, Supplier<T> initial) {
        return type.cast(attachments.computeIfAbsent(type, _ -> initial.get()));
    }

    @Override
    public void whenClosed(Runnable task) {
        if (channel.isActive()) afterwards.add(task);
        else task.run();
    }

    @Override
    public void clientSoftware(String name, String version) {
        softwareName = name;
        softwareVersion = version;
    }

    @Override
    public String clientSoftwareName() {
        return softwareName;
    }

    @Override
    public String clientSoftwareVersion() {
        return softwareVersion;
    }
}
