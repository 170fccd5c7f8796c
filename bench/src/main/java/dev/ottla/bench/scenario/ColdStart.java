package dev.ottla.bench.scenario;

import dev.ottla.bench.side.RunningBroker;
import java.io.IOException;
import java.time.Duration;

/// An empty directory, from the exec of the command to the first acknowledged record, and what the
/// broker takes when it then has nothing to do. Kafka's directory was formatted before.
record ColdStart() implements OnOwnBroker {
    static final String FIRST_RECORD = "exec to first acknowledged record, s";
    static final String MEMORY = "resident memory idle, MiB";
    private static final long REST_SECONDS = 20;

    @Override
    public String name() {
        return "start";
    }

    @Override
    public Family family() {
        return Family.START;
    }

    @Override
    public String about() {
        return "empty directory to first acknowledged record; memory, threads and CPU idle";
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException {
        RunningBroker broker = trial.exec();
        Readiness.firstRecord(broker);
        trial.report(FIRST_RECORD, (System.nanoTime() - broker.execNs()) / 1e9);
        trial.report("CPU s until then", broker.cpuSeconds());
        Idle idle = Idle.watch(broker, Duration.ofSeconds(trial.scale().of(REST_SECONDS) + 3));
        trial.report(MEMORY, broker.residentMiB());
        trial.report("threads idle", broker.threadCount());
        trial.report("file handles idle", broker.fileHandleCount());
        trial.report(Idle.CPU, idle.cpuPercent());
        trial.report("clean stop, s", broker.stop());
    }
}
