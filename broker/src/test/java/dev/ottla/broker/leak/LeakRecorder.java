package dev.ottla.broker.leak;

import io.netty.util.ResourceLeakDetector;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Netty's detector, which keeps what it finds. Surefire names it to Netty by the system property
/// `io.netty.customResourceLeakDetector`, so it is there whichever class comes first. Thread-safe.
public final class LeakRecorder<T> extends ResourceLeakDetector<T> {
    private static final Queue<String> FOUND = new ConcurrentLinkedQueue<>();

    /// The constructors that Netty looks for.
    @SuppressWarnings("deprecation")
    public LeakRecorder(Class<?> resourceType, int samplingInterval, long maxActive) {
        super(resourceType, samplingInterval, maxActive);
    }

    @SuppressWarnings("deprecation")
    public LeakRecorder(Class<?> resourceType, int samplingInterval) {
        super(resourceType, samplingInterval);
    }

    @Override
    protected boolean needReport() {
        return true;
    }

    @Override
    protected void reportTracedLeak(String resourceType, String records) {
        FOUND.add(resourceType + records);
    }

    @Override
    protected void reportUntracedLeak(String resourceType) {
        FOUND.add(resourceType);
    }

    /// What was found since the last call.
    static List<String> takeFound() {
        List<String> taken = new ArrayList<>();
        for (String leak = FOUND.poll(); leak != null; leak = FOUND.poll()) {
            taken.add(leak);
        }
        return taken;
    }
}
