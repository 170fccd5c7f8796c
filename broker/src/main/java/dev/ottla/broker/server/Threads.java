package dev.ottla.broker.server;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes the broker's threads, with names that tell what they do.
final class Threads {
    private static final Logger LOG = LoggerFactory.getLogger(Threads.class);

    private Threads() {}

    /// Threads `kind-0`, `kind-1` and so on. They don't keep the process alive: the starting thread
    /// waits for the stop.
    static ThreadFactory named(String kind) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, kind + "-" + count.getAndIncrement());
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((failed, cause) ->
                    LOG.error("Thread {} ended by a failure.", failed.getName(), cause));
            return thread;
        };
    }
}
