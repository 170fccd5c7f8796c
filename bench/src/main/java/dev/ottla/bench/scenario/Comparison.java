package dev.ottla.bench.scenario;

import dev.ottla.bench.report.Samples;
import dev.ottla.bench.side.Kafka;
import dev.ottla.bench.side.Ottla;
import dev.ottla.bench.side.RunningBroker;
import dev.ottla.bench.side.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Runs scenarios on both sides in turn, round by round, and gathers what they report. One broker
/// runs at a time. Owned by the main thread.
public final class Comparison {
    private final Ottla ottla;
    private final Kafka kafka;
    private final Scale scale;
    private final Path workDir;
    private final double sequentialMegabytesPerSecond;
    private final Map<Family, Samples> samples = new EnumMap<>(Family.class);

    /// Data directories are made under `workDir`, which should be on the disk to be measured.
    public Comparison(
            Ottla ottla,
            Kafka kafka,
            Scale scale,
            Path workDir,
            double sequentialMegabytesPerSecond) {
        this.ottla = ottla;
        this.kafka = kafka;
        this.scale = scale;
        this.workDir = workDir;
        this.sequentialMegabytesPerSecond = sequentialMegabytesPerSecond;
        for (Family family : Family.values()) samples.put(family, new Samples());
    }

    /// All scenarios of a family, on the sides named. The side that begins changes from round to
    /// round.
    public void run(Family family, List<Scenario> scenarios, int rounds, Set<String> sides)
            throws IOException, InterruptedException {
        for (int round = 1; round <= rounds; round++) {
            List<Side> order = round % 2 == 1 ? List.of(ottla, kafka) : List.of(kafka, ottla);
            for (Side side : order) {
                if (!sides.contains(side.name())) continue;
                Trial.Setting setting =
                        new Trial.Setting(side, scale, round, kafka, sequentialMegabytesPerSecond);
                System.out.printf("%s, round %d, %s%n", family.title(), round, side.name());
                runOnce(family, scenarios, setting);
            }
        }
    }

    public Map<Family, Samples> samples() {
        return samples;
    }

    private void runOnce(Family family, List<Scenario> scenarios, Trial.Setting setting)
            throws IOException, InterruptedException {
        List<Scenario> warm = scenarios.stream().filter(s -> s instanceof OnWarmBroker).toList();
        if (!warm.isEmpty()) {
            try (BrokerHome home = new BrokerHome(setting.side(), workDir, 1)) {
                RunningBroker broker = home.exec();
                Readiness.firstRecord(broker);
                new Workload(broker).warmUp(setting.scale());
                for (Scenario scenario : warm) run(family, scenario, setting, home);
            }
        }
        for (Scenario scenario : scenarios) {
            if (scenario instanceof OnWarmBroker) continue;
            try (BrokerHome home = new BrokerHome(setting.side(), workDir, scenario.brokers())) {
                run(family, scenario, setting, home);
            }
        }
    }

    private void run(Family family, Scenario scenario, Trial.Setting setting, BrokerHome home)
            throws IOException, InterruptedException {
        Samples all = samples.getOrDefault(family, new Samples());
        scenario.run(new Trial(scenario, setting, home, all));
    }
}
