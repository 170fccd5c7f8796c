package dev.ottla.broker.server;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFile;
import dev.ottla.log.disk.FileDisk;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A disk on which one kind of call takes as long as the test wants, for the files of one topic.
final class StuckDisk {
    private final Disk disk = new FileDisk();
    private final String topic;
    private final String call;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile CountDownLatch open = new CountDownLatch(0);

    /// @param call of [DiskFile]
    StuckDisk(String topic, String call) {
        this.topic = topic;
        this.call = call;
    }

    Disk disk() {
        return proxy(Disk.class, this::onDisk);
    }

    /// Calls wait from now on.
    void stick() {
        open = new CountDownLatch(1);
    }

    void release() {
        open.countDown();
    }

    /// Whether a call waits now.
    boolean isWaitedFor() {
        return waiting.get() > 0;
    }

    private void await() throws InterruptedException {
        waiting.incrementAndGet();
        open.await();
        waiting.decrementAndGet();
    }

    private interface Call {
        @Nullable Object on(Method method, Object @Nullable [] arguments) throws Throwable;
    }

    private @Nullable Object onDisk(Method method, Object @Nullable [] arguments) throws Throwable {
        Object result = invoke(disk, method, arguments);
        if (result instanceof DiskFile file
                && arguments != null
                && arguments[0] instanceof Path path
                && path.toString().contains(topic)) {
            return proxy(
                    DiskFile.class,
                    (each, with) -> {
                        if (each.getName().equals(call)) await();
                        return invoke(file, each, with);
                    });
        }
        return result;
    }

    private static @Nullable Object invoke(
            Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, arguments) -> call.on(method, arguments)));
    }
}
