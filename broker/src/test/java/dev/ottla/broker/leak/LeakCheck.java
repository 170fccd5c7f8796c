package dev.ottla.broker.leak;

import io.netty.buffer.PooledByteBufAllocator;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Fails a test class when a buffer became garbage without being released: in it, or in one before
/// that held its buffer longer. JUnit finds this extension by itself (`META-INF/services`).
public final class LeakCheck implements AfterAllCallback {
    private static final long GARBAGE_WAIT_MS = 5_000;

    @Override
    public void afterAll(ExtensionContext context) throws InterruptedException {
        if (context.getTestClass().filter(Class::isMemberClass).isPresent()) {
            return; // The outermost class is enough.
        }
        List<String> leaks = leaks();
        if (!leaks.isEmpty()) {
            throw new AssertionError(
                    leaks.size() + " buffers were not released. " + String.join("\n", leaks));
        }
    }

    static List<String> leaks() throws InterruptedException {
        collectGarbage();
        collectGarbage();
        // Netty looks at what the collector found whenever it makes a buffer.
        PooledByteBufAllocator.DEFAULT.directBuffer(1, 1).release();
        return LeakRecorder.takeFound();
    }

    /// The order in which references are enqueued is open, but all those of one collection come
    /// before those of the next: hence twice.
    private static void collectGarbage() throws InterruptedException {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        WeakReference<Object> probe = new WeakReference<>(new Object(), queue);
        try {
            System.gc();
            if (queue.remove(GARBAGE_WAIT_MS) == null) {
                throw new IllegalStateException("the garbage collector does not run");
            }
        } finally {
            Reference.reachabilityFence(probe);
        }
    }
}
