package dev.ottla.broker.network;

import io.netty.channel.AbstractEventLoopGroup;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Event loops whose number can change while they run. New channels go round among the first ones,
/// as many as are in use; a loop that is out of use keeps its thread, parked, for what still refers
/// to it, and is the first to be used again. Thread-safe; one thread at a time adds loops.
final class LoopGroup extends AbstractEventLoopGroup {
    private final ThreadFactory threads;
    private final IoHandlerFactory io;
    private final List<MultiThreadIoEventLoopGroup> groups = new CopyOnWriteArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();

    /// At most as many as there are groups. Written by whoever changes the number, read for each
    /// new channel; a channel that comes while it changes may go to a loop of before.
    private volatile int used;

    LoopGroup(ThreadFactory threads, IoHandlerFactory io) {
        this.threads = threads;
        this.io = io;
    }

    /// One more loop, not used yet.
    SingleThreadEventLoop add() {
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, threads, io);
        groups.add(group);
        return (SingleThreadEventLoop) group.next();
    }

    /// New channels go to the first `count` loops.
    void use(int count) {
        used = count;
    }

    @Override
    public EventLoop next() {
        return groups.get(Math.floorMod(turn.getAndIncrement(), used)).next();
    }

    @Override
    public ChannelFuture register(Channel channel) {
        return next().register(channel);
    }

    @Override
    public ChannelFuture register(ChannelPromise promise) {
        return next().register(promise);
    }

    @Deprecated
    @Override
    public ChannelFuture register(Channel channel, ChannelPromise promise) {
        throw new UnsupportedOperationException("a promise knows its channel");
    }

    @Override
    public Iterator<EventExecutor> iterator() {
        return groups.stream().<EventExecutor>map(MultiThreadIoEventLoopGroup::next).iterator();
    }

    /// The future of one of the loops: use [#awaitTermination] for all.
    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        groups.forEach(group -> {
            var _ = group.shutdownGracefully(quietPeriod, timeout, unit);
        });
        return terminationFuture();
    }

    @Override
    public Future<?> terminationFuture() {
        return groups.getFirst().terminationFuture();
    }

    @Deprecated
    @Override
    public void shutdown() {
        throw new UnsupportedOperationException("loops are shut down gracefully");
    }

    @Override
    public boolean isShuttingDown() {
        return groups.stream().allMatch(MultiThreadIoEventLoopGroup::isShuttingDown);
    }

    @Override
    public boolean isShutdown() {
        return groups.stream().allMatch(MultiThreadIoEventLoopGroup::isShutdown);
    }

    @Override
    public boolean isTerminated() {
        return groups.stream().allMatch(MultiThreadIoEventLoopGroup::isTerminated);
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        for (MultiThreadIoEventLoopGroup group : groups) {
            if (!group.awaitTermination(timeout, unit)) return false;
        }
        return true;
    }
}
