package dev.ottla.broker.network;

import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.request.HandlerTable;
import dev.ottla.broker.shard.ShardHost;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The network loops and the listeners on them. Made and closed by the wiring's thread; the
/// connections belong to the loops.
public final class NetworkServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkServer.class);
    private static final long STOP_READING_MS = 5_000;
    private static final long END_MS = 10_000;
    private static final long DRAIN_MS = 5_000;

    /// Connections that one listener takes before its loop does anything else.
    private static final int ACCEPTS_PER_TURN = 256;

    /// What the wiring gives to the network.
    ///
    /// @param nanoClock monotonic
    public record Surroundings(
            ThreadFactory threads,
            ByteBufAllocator allocator,
            LongSupplier nanoClock,
            BrokerMetrics metrics) {}

    private final NetworkSettings settings;
    private final Surroundings surroundings;
    private final MemoryBudget budget;
    private final ConnectionCounter counter;
    private final boolean nativeTransport;
    private final LoopGroup group;

    /// Those in use first. Only ever grows.
    private final List<NetworkLoop> loops = new CopyOnWriteArrayList<>();

    private final Map<EventExecutor, NetworkLoop> loopByExecutor = new ConcurrentHashMap<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    /// One for each loop, from the moment of stopping on. Owned by the thread that closes.
    private final List<CompletableFuture<Void>> drained = new ArrayList<>();

    /// Owned by the thread that closes.
    private boolean connectionsClosed;

    /// Written by whoever changes the number, read by any thread, for which one of before will do.
    private volatile int usedLoops;

    /// Set by whoever finds that connections come too fast, cleared by the loop that looks again.
    private final AtomicBoolean resumeScheduled = new AtomicBoolean();

    private record Listener(String name, Channel channel) {}

    /// Written once by the wiring before the listeners are read from, read by the loops.
    private volatile @Nullable NetworkParts parts;

    public NetworkServer(
            NetworkSettings settings, ConnectionLimits limits, Surroundings surroundings) {
        this.settings = settings;
        this.surroundings = surroundings;
        budget = new MemoryBudget(settings.requestMemoryBytes());
        counter = new ConnectionCounter(limits);
        nativeTransport = Epoll.isAvailable();
        IoHandlerFactory io =
                nativeTransport ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        group = new LoopGroup(surroundings.threads(), io);
        loops(settings.loops());
    }

    /// Changes the number of loops that own connections. Those of a loop that goes out of use are
    /// closed as soon as nobody waits for an answer; their clients come back to another one. One
    /// thread at a time.
    public void loops(int count) {
        while (loops.size() < count) addLoop();
        for (NetworkLoop loop : loops) {
            if (loop.index() < count) loop.resume();
        }
        group.use(count);
        usedLoops = count;
        for (NetworkLoop loop : loops) {
            if (loop.index() >= count) loop.retire();
        }
    }

    private void addLoop() {
        SingleThreadEventLoop eventLoop = group.add();
        NetworkLoop loop =
                new NetworkLoop(
                        loops.size(),
                        eventLoop,
                        surroundings.nanoClock(),
                        Scratch.allocate(surroundings.allocator()));
        loopByExecutor.put(eventLoop, loop);
        loops.add(loop);
    }

    /// Any thread: loops in use.
    public int loopCount() {
        return usedLoops;
    }

    /// The loop of that index, as `ClientConnection.loopIndex` numbers them. A loop out of use
    /// still runs tasks.
    public Executor loop(int index) {
        return loops.get(index);
    }

    /// Takes the address `host` and `port` (0 for any free port; an empty host for all addresses)
    /// and returns what was bound. Connections are accepted from `accept` on; until then they wait
    /// in the listen queue. A listener may come later too. Fails when the address cannot be bound.
    public InetSocketAddress bind(String listenerName, String host, int port) throws IOException {
        InetSocketAddress address =
                host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new IOException(
                    "the host name %s is unknown. Use a name or an address of this machine."
                            .formatted(host));
        }
        var bound = bootstrap(listenerName).bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(whyNotBound(bound.cause()), bound.cause());
        }
        bound.channel().pipeline().addLast(new AcceptFailures(listenerName));
        listeners.add(new Listener(listenerName, bound.channel()));
        adjustAccepting();
        return (InetSocketAddress) bound.channel().localAddress();
    }

    private static String whyNotBound(Throwable cause) {
        String reason = String.valueOf(cause.getMessage());
        if (reason.contains("in use")) {
            return "the port is in use. Stop what uses it, or choose another one with --port or"
                    + " listeners.";
        }
        if (reason.contains("Cannot assign")) {
            return "the address is none of this machine. Use one that it has, or none for all.";
        }
        if (reason.contains("denied")) {
            return "this user may not use the port. Choose one from 1024 up.";
        }
        return reason + ". Choose another address with --port or listeners.";
    }

    /// Gives up the addresses of a listener. Its connections are closed as soon as nobody waits for
    /// an answer.
    public void unbind(String listenerName) {
        List<Listener> gone =
                listeners.stream().filter(each -> each.name().equals(listenerName)).toList();
        listeners.removeAll(gone);
        gone.forEach(listener -> listener.channel().close().awaitUninterruptibly());
        loops.forEach(loop -> loop.closeListener(listenerName));
    }

    /// Opens connections to other nodes, on the loops of this server.
    public Dialer dialer() {
        return new Dialer(
                group,
                nativeTransport,
                surroundings.allocator(),
                executor -> requireLoop(executor).scratch());
    }

    /// The loop of that index as one on which a shard may have its turns; it goes on with them
    /// until `close`.
    public ShardHost host(int index) {
        return loops.get(index);
    }

    /// Begins to accept connections on all bound addresses.
    ///
    /// @param overloaded whether shards are so far behind that no more requests should be read
    public void accept(HandlerTable handlers, BooleanSupplier overloaded) {
        parts =
                new NetworkParts(
                        settings,
                        budget,
                        new Dispatcher(handlers, surroundings.metrics()),
                        overloaded,
                        surroundings.metrics());
        adjustAccepting();
    }

    /// Any thread: new limits for connections that come from now on.
    public void limits(ConnectionLimits limits) {
        counter.limits(limits, surroundings.nanoClock().getAsLong());
        adjustAccepting();
    }

    /// Any thread: memory that requests hold now.
    public long requestMemoryUsedBytes() {
        return budget.usedBytes();
    }

    /// Any thread.
    public long requestMemoryLimitBytes() {
        return budget.capacityBytes();
    }

    /// Any thread.
    public int connectionCount() {
        return counter.total();
    }

    /// Stops accepting; open connections stay.
    public void stopListening() {
        List<Listener> open = List.copyOf(listeners);
        listeners.clear();
        open.forEach(listener -> listener.channel().close().awaitUninterruptibly());
    }

    /// Stops accepting and reading. What was read before is with the handlers when this returns;
    /// each connection closes when it has sent its last answer.
    public void stopReading() {
        if (!drained.isEmpty()) {
            return;
        }
        stopListening();
        List<CompletableFuture<?>> notRead = new ArrayList<>();
        for (NetworkLoop loop : loops) {
            CompletableFuture<Void> whenEmpty = new CompletableFuture<>();
            drained.add(whenEmpty);
            notRead.add(CompletableFuture.runAsync(() -> loop.drain(whenEmpty), loop));
        }
        await(notRead, STOP_READING_MS);
    }

    /// As below, with the time that requests in work usually need at most.
    public void closeConnections() {
        closeConnections(DRAIN_MS);
    }

    /// Stops reading, waits until the requests that were read are answered, at most `drainMs`, then
    /// closes all connections. The loops go on, for the shards on them. Does nothing the second
    /// time.
    public void closeConnections(long drainMs) {
        if (connectionsClosed) {
            return;
        }
        connectionsClosed = true;
        stopReading();
        if (!await(drained, drainMs) && drainMs > 0) {
            LOG.warn(
                    "{} connections still had requests without an answer after {} ms and were closed.",
                    connectionCount(),
                    drainMs);
        }
        await(
                loops.stream()
                        .map(loop -> CompletableFuture.runAsync(loop::closeAll, loop))
                        .toList(),
                STOP_READING_MS);
    }

    /// Closes the connections and ends the loops. Does nothing the second time.
    @Override
    public void close() {
        if (group.isShuttingDown()) {
            return;
        }
        closeConnections();
        var _ = group.shutdownGracefully(0, 5, TimeUnit.SECONDS);
        boolean ended = true;
        for (EventExecutor loop : group) {
            ended &= loop.terminationFuture().awaitUninterruptibly(END_MS);
        }
        if (ended) {
            loops.forEach(loop -> loop.scratch().release());
        } else {
            LOG.error("A network loop has not ended: the broker stops without it.");
        }
    }

    private static boolean await(List<? extends CompletableFuture<?>> all, long millis) {
        try {
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                    .get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            LOG.error("A network loop failed while it stopped.", e.getCause());
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private ServerBootstrap bootstrap(String listenerName) {
        Class<? extends ServerChannel> type =
                nativeTransport ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(group)
                        .channel(type)
                        .option(ChannelOption.SO_BACKLOG, settings.listenBacklog())
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .option(ChannelOption.AUTO_READ, false)
                        .option(
                                ChannelOption.RECVBUF_ALLOCATOR,
                                new ServerChannelRecvByteBufAllocator()
                                        .maxMessagesPerRead(ACCEPTS_PER_TURN))
                        .childOption(ChannelOption.ALLOCATOR, surroundings.allocator())
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.SO_KEEPALIVE, true)
                        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark())
                        .childOption(ChannelOption.MESSAGE_SIZE_ESTIMATOR, SizeEstimator.INSTANCE);
        if (settings.receiveBufferBytes() > 0) {
            bootstrap.childOption(ChannelOption.SO_RCVBUF, settings.receiveBufferBytes());
        }
        if (settings.sendBufferBytes() > 0) {
            bootstrap.childOption(ChannelOption.SO_SNDBUF, settings.sendBufferBytes());
        }
        return bootstrap.childHandler(
                new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        enter(channel, listenerName, requireParts());
                    }
                });
    }

    private void enter(Channel channel, String listenerName, NetworkParts parts) {
        if (!(channel.remoteAddress() instanceof InetSocketAddress remote)) {
            var _ = channel.close();
            return;
        }
        NetworkLoop loop = requireLoop(channel.eventLoop());
        Connection connection = new Connection(channel, loop, parts, listenerName);
        String address = remote.getAddress().getHostAddress();
        ConnectionCounter.Newcomer newcomer =
                new ConnectionCounter.Newcomer(
                        listenerName,
                        address,
                        () ->
                                loop.execute(
                                        () -> begin(channel, connection, listenerName, address)));
        switch (counter.enter(newcomer, loop.nowNs())) {
            case ConnectionCounter.Entry.Admitted _ ->
                    begin(channel, connection, listenerName, address);
            case ConnectionCounter.Entry.Waits _ -> channel.config().setAutoRead(false);
            case ConnectionCounter.Entry.Refused refused -> {
                parts.metrics().rejectedFrame("connections");
                LOG.info("Refusing a connection from {}: {}.", address, refused.reason());
                var _ = channel.close();
            }
        }
        adjustAccepting();
    }

    private NetworkLoop requireLoop(EventExecutor executor) {
        NetworkLoop loop = loopByExecutor.get(executor);
        if (loop == null) {
            throw new IllegalStateException("a connection is on a loop of another group");
        }
        return loop;
    }

    private WriteBufferWaterMark waterMark() {
        int high = (int) Math.min(Integer.MAX_VALUE, settings.pendingResponseBytes());
        return new WriteBufferWaterMark(high / 4, high);
    }

    private NetworkParts requireParts() {
        NetworkParts present = parts;
        if (present == null) {
            throw new IllegalStateException(
                    "a connection was accepted before the handlers were there");
        }
        return present;
    }

    /// The connection has its place.
    private void begin(Channel channel, Connection connection, String listener, String address) {
        ConnectionCounter.Newcomer place =
                new ConnectionCounter.Newcomer(listener, address, () -> {});
        var _ =
                channel.closeFuture()
                        .addListener(_ -> {
                            counter.leave(place, surroundings.nanoClock().getAsLong());
                            adjustAccepting();
                        });
        channel.pipeline().addLast(connection);
        if (channel.isActive() && !channel.config().isAutoRead()) {
            connection.channelActive(channel.pipeline().lastContext());
            channel.config().setAutoRead(true);
        }
    }

    /// Where no place is free, or connections come faster than allowed, new clients wait in the
    /// listen queue.
    private void adjustAccepting() {
        long pauseNs = counter.nanosToNextPlace(surroundings.nanoClock().getAsLong());
        boolean accept = parts != null && pauseNs == 0;
        for (Listener listener : listeners) {
            boolean here = accept && !counter.isFull(listener.name());
            if (listener.channel().isActive() && listener.channel().config().isAutoRead() != here) {
                listener.channel().config().setAutoRead(here);
            }
        }
        if (pauseNs > 0 && resumeScheduled.compareAndSet(false, true)) {
            var _ = group.schedule(this::resumeAccepting, pauseNs, TimeUnit.NANOSECONDS);
        }
    }

    private void resumeAccepting() {
        resumeScheduled.set(false);
        counter.admitWaiting(surroundings.nanoClock().getAsLong());
        adjustAccepting();
    }
}
