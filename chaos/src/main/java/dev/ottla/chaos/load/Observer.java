package dev.ottla.chaos.load;

import dev.ottla.chaos.cluster.ClusterState;
import dev.ottla.chaos.cluster.Pause;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.History;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.OffsetSpec;

/// Asks for log starts, high watermarks and committed offsets all the time.
final class Observer implements Runnable {
    private static final long PAUSE_MS = 400;

    private final String bootstrap;
    private final List<String> groups;
    private final History history;
    private final AtomicLong calls;

    // Written by the run.
    private volatile boolean stopped;

    Observer(String bootstrap, List<String> groups, History history, AtomicLong calls) {
        this.bootstrap = bootstrap;
        this.groups = List.copyOf(groups);
        this.history = history;
        this.calls = calls;
    }

    @Override
    public void run() {
        try (ClusterState state = new ClusterState(bootstrap)) {
            while (!stopped) {
                observe(state);
                Pause.ofMs(PAUSE_MS);
            }
        }
    }

    /// Asks once for everything; returns the high watermarks of those that answered.
    Map<String, Long> observe(ClusterState state) {
        long call = calls.incrementAndGet();
        history.add(new Event.EndsAsked(call));
        Map<String, Long> starts = state.offsets(Topics.partitions(), OffsetSpec.earliest());
        Map<String, Long> ends = state.offsets(Topics.partitions(), OffsetSpec.latest());
        history.add(new Event.EndsFound(call, starts, ends));
        for (String group : groups) {
            long question = calls.incrementAndGet();
            history.add(new Event.CommittedAsked(question, group));
            state.committed(group)
                    .ifPresent(found -> history.add(new Event.CommittedFound(question, found)));
        }
        return ends;
    }

    void stop() {
        stopped = true;
    }
}
