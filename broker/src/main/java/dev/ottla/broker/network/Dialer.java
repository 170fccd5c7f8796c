package dev.ottla.broker.network;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.function.Function;

/// Opens connections to other nodes, on the loops that serve clients. Thread-safe; a [Line] and
/// what it tells belong to its loop.
public final class Dialer {
    /// An open connection. On its loop.
    public interface Line {
        /// Sends a whole frame, its size field included, and takes it over.
        void send(ByteBuf frame);

        ByteBufAllocator allocator();

        /// [Events#onClosed] follows.
        void close();
    }

    /// What becomes of an attempt, on the loop: either `onFailed`, or `onOpen`, then frames, and at
    /// last `onClosed`.
    public interface Events {
        void onFailed(Throwable cause);

        void onOpen(Line line);

        /// The frame without its size field passes to the receiver.
        void onFrame(ByteBuf frame);

        void onClosed(Throwable cause);
    }

    private final EventLoopGroup group;
    private final boolean nativeTransport;
    private final ByteBufAllocator allocator;
    private final Function<EventLoop, Scratch> scratch;

    Dialer(
            EventLoopGroup group,
            boolean nativeTransport,
            ByteBufAllocator allocator,
            Function<EventLoop, Scratch> scratch) {
        this.group = group;
        this.nativeTransport = nativeTransport;
        this.allocator = allocator;
        this.scratch = scratch;
    }

    /// The loop for a connection to come; they go round.
    public EventLoop nextLoop() {
        return group.next();
    }

    /// Tries to connect once.
    ///
    /// @param address resolved
    /// @param maxFrameBytes a larger frame closes the line
    public void dial(
            EventLoop loop,
            InetSocketAddress address,
            int timeoutMs,
            int maxFrameBytes,
            Events events) {
        Class<? extends SocketChannel> type =
                nativeTransport ? EpollSocketChannel.class : NioSocketChannel.class;
        var _ =
                new Bootstrap()
                        .group(loop)
                        .channel(type)
                        .option(ChannelOption.ALLOCATOR, allocator)
                        .option(ChannelOption.TCP_NODELAY, true)
                        .option(ChannelOption.SO_KEEPALIVE, true)
                        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, timeoutMs)
                        .handler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        channel.pipeline()
                                                .addLast(
                                                        new Open(
                                                                channel,
                                                                maxFrameBytes,
                                                                scratch.apply(loop),
                                                                events));
                                    }
                                })
                        .connect(address)
                        .addListener(done -> {
                            if (!done.isSuccess()) {
                                events.onFailed(done.cause());
                            }
                        });
    }

    /// The connection's end of the pipeline.
    private static final class Open extends ChannelInboundHandlerAdapter
            implements Line, FrameReader.Sink {
        private final Channel channel;
        private final Events events;
        private final FrameReader reader;
        private boolean opened;
        private Throwable cause = new ClosedChannelException();

        Open(Channel channel, int maxFrameBytes, Scratch scratch, Events events) {
            this.channel = channel;
            this.events = events;
            this.reader = new FrameReader(maxFrameBytes, scratch, channel.alloc(), this);
            channel.config().setRecvByteBufAllocator(reader);
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            opened = true;
            events.onOpen(this);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            try {
                reader.onRead((ByteBuf) message);
            } catch (FrameReader.BadFrameException e) {
                cause = new IllegalStateException("The other side " + e.what() + ".");
                close();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            reader.close();
            if (opened) {
                opened = false;
                events.onClosed(cause);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
            cause = failure;
            close();
        }

        @Override
        public void send(ByteBuf frame) {
            var _ = channel.writeAndFlush(frame, channel.voidPromise());
        }

        @Override
        public ByteBufAllocator allocator() {
            return channel.alloc();
        }

        @Override
        public void close() {
            var _ = channel.close();
        }

        @Override
        public void onFrame(ByteBuf frame) {
            events.onFrame(frame);
        }

        /// What comes was asked for, and whoever asked bounds it.
        @Override
        public boolean admit(int sizeBytes) {
            return true;
        }

        @Override
        public boolean hasTime() {
            return true;
        }

        @Override
        public boolean isMemoryPlentiful() {
            return true;
        }

        @Override
        public void keepsAside(int moreBytes) {}
    }
}
