package dev.ottla.bench.side;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/// The brokers of one cluster, each a process. Owned by the main thread.
public final class RunningCluster implements Brokers {
    private final List<RunningBroker> brokers;

    /// @param brokers by their ids, of which the first is 1
    public RunningCluster(List<RunningBroker> brokers) {
        this.brokers = new ArrayList<>(brokers);
    }

    @Override
    public Side side() {
        return brokers.getFirst().side();
    }

    /// The first broker whose process lives.
    @Override
    public InetSocketAddress address() {
        return brokers.stream()
                .filter(RunningBroker::isAlive)
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException("no broker of " + side().name() + " lives"))
                .address();
    }

    @Override
    public double cpuSeconds() {
        return brokers.stream().mapToDouble(RunningBroker::cpuSeconds).sum();
    }

    @Override
    public int size() {
        return brokers.size();
    }

    public RunningBroker broker(int id) {
        return brokers.get(id - 1);
    }

    /// The process of broker `id` ended; it runs on as `restarted`.
    public void replace(int id, RunningBroker restarted) {
        brokers.set(id - 1, restarted);
    }

    /// Most resident memory so far, in MiB, of all together.
    public double peakResidentMiB() {
        return brokers.stream().mapToDouble(RunningBroker::peakResidentMiB).sum();
    }

    /// Freezes the process of a broker (SIGSTOP), or lets it go on (SIGCONT).
    public void signal(int id, String signal) throws IOException, InterruptedException {
        ChildProcess.run(List.of("kill", "-" + signal, Long.toString(broker(id).pid())));
    }
}
