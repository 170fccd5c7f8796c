package dev.ottla.broker.server;

import com.sun.net.httpserver.spi.HttpServerProvider;
import dev.ottla.log.disk.FileDisk;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.epoll.Epoll;

/// Initialises what takes long the first time and depends on nothing, on a thread of its own, while
/// the start reads its configuration and its directories. Who needs a part of it waits for that
/// part as for any class that another thread initialises. The logging must be there already.
final class WarmUp {
    private WarmUp() {}

    static void begin() {
        Thread thread = new Thread(WarmUp::run, "warm-up");
        thread.setDaemon(true);
        thread.start();
    }

    private static void run() {
        FileDisk.warmUp();
        PooledByteBufAllocator.DEFAULT.metric();
        Epoll.isAvailable();
        HttpServerProvider.provider();
    }
}
