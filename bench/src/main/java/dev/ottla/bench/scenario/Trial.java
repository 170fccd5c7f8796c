package dev.ottla.bench.scenario;

import dev.ottla.bench.report.Sample;
import dev.ottla.bench.report.Samples;
import dev.ottla.bench.report.Series;
import dev.ottla.bench.side.Kafka;
import dev.ottla.bench.side.RunningBroker;
import dev.ottla.bench.side.RunningCluster;
import dev.ottla.bench.side.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// One run of one scenario on one side: where it runs, how much it does, and where its figures go.
/// Owned by the main thread.
public final class Trial {
    private final Scenario scenario;
    private final Setting setting;
    private final BrokerHome home;
    private final Samples samples;

    Trial(Scenario scenario, Setting setting, BrokerHome home, Samples samples) {
        this.scenario = scenario;
        this.setting = setting;
        this.home = home;
        this.samples = samples;
    }

    public Side side() {
        return setting.side();
    }

    public Scale scale() {
        return setting.scale();
    }

    /// Commands of Kafka's own tools, which put load on either side.
    Kafka tools() {
        return setting.tools();
    }

    /// How fast this machine's disk took one stream, measured in the same run.
    double sequentialMegabytesPerSecond() {
        return setting.sequentialMegabytesPerSecond();
    }

    /// The broker that runs; for a scenario with its own, the one that it started last.
    public RunningBroker broker() {
        return home.broker();
    }

    /// Starts a broker on the directory of this trial, empty at first; the last one has ended.
    RunningBroker exec() throws IOException, InterruptedException {
        return home.exec();
    }

    /// Starts all brokers of this trial, each on an empty directory.
    RunningCluster execAll() throws IOException {
        return home.execAll();
    }

    /// Starts a broker of the cluster again, on the directory that it had.
    void execAgain(RunningCluster cluster, int id) throws IOException {
        cluster.replace(id, home.exec(id));
    }

    Path dataDir() {
        return home.dataDir();
    }

    /// Reports a figure; its name ends with the unit.
    public void report(String figure, double value) {
        samples.add(new Sample(scenario.name(), figure, side().name(), setting.round(), value));
        System.out.printf(
                Locale.ROOT,
                "  %-6s %-28s %-46s %12.3f%n",
                side().name(),
                scenario.name(),
                figure,
                value);
    }

    /// Reports what was taken once a second.
    void reportOverTime(List<Double> values) {
        samples.add(new Series(scenario.name(), side().name(), setting.round(), values));
    }

    /// Says something that is no figure, such as why a scenario was not run.
    public void note(String text) {
        System.out.printf("  %-6s %-28s %s%n", side().name(), scenario.name(), text);
    }

    /// What all trials of one side in one round have in common.
    record Setting(
            Side side, Scale scale, int round, Kafka tools, double sequentialMegabytesPerSecond) {}
}
