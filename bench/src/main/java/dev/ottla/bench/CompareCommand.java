package dev.ottla.bench;

import dev.ottla.bench.floor.Floors;
import dev.ottla.bench.report.PerformancePage;
import dev.ottla.bench.report.Samples;
import dev.ottla.bench.scenario.Catalog;
import dev.ottla.bench.scenario.Comparison;
import dev.ottla.bench.scenario.Family;
import dev.ottla.bench.scenario.Scale;
import dev.ottla.bench.scenario.Scenario;
import dev.ottla.bench.scenario.Targets;
import dev.ottla.bench.side.Kafka;
import dev.ottla.bench.side.Ottla;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Runs scenarios on both brokers in turn and writes the page of figures. A run whose records were
/// not all stored once and in order ends the comparison with an error.
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        description = {
            "Measures Ottla and Apache Kafka side by side on this machine: each scenario on both, in turn,"
                    + " three times. Writes docs/performance.md, with raw data and pictures beside it; scenarios that"
                    + " were not run keep their earlier figures.",
            "--list names the scenarios. All of them take some hours: run one family after the other."
        })
final class CompareCommand implements Callable<Integer> {
    @Option(
            names = "--scenario",
            description = "A scenario, a family of them, or all. Default: ${DEFAULT-VALUE}.")
    private String scenario = "all";

    @Option(names = "--list", description = "Name the scenarios, family by family, and end.")
    private boolean list;

    @Option(
            names = "--quick",
            description =
                    "Small and once, for a first look; the page goes to bench/target/quick instead of docs.")
    private boolean quick;

    @Option(names = "--rounds", description = "Repetitions on each side. Default: 3, quick: 1.")
    private int rounds;

    @Option(
            names = "--page",
            description = "Write this page instead, its data and pictures beside it.")
    private Path page = Path.of("");

    @Option(
            names = "--work-dir",
            description = "Where data directories are made. Default: ${DEFAULT-VALUE}.")
    private Path workDir = Path.of(System.getProperty("java.io.tmpdir"));

    @Spec private CommandSpec spec = CommandSpec.create();

    private final Path root = Path.of(System.getProperty("ottla.root", ".")).toAbsolutePath();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (list) {
            for (Scenario each : Catalog.all()) {
                System.out.printf(
                        "%-12s %-24s %s%n", each.family().title(), each.name(), each.about());
            }
            return 0;
        }
        List<Scenario> chosen = Catalog.named(scenario);
        if (chosen.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "no scenario or family " + scenario + "; --list names them");
        }
        Scale scale = quick ? Scale.QUICK : Scale.FULL;
        int repetitions = rounds > 0 ? rounds : scale.rounds();
        Ottla ottla = new Ottla(root);
        Kafka kafka =
                new Kafka(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        root.resolve("bench/target/bench/lib"));
        Samples floors = Floors.measure(workDir, scale.of(1_000_000_000));
        Comparison comparison =
                new Comparison(
                        ottla, kafka, scale, workDir, Floors.sequentialMegabytesPerSecond(floors));
        PerformancePage target = new PerformancePage(pagePath());
        String settings = Settings.describe(ottla, kafka, scale, repetitions);
        for (Family family : Family.values()) {
            List<Scenario> own = chosen.stream().filter(s -> s.family() == family).toList();
            if (own.isEmpty()) continue;
            comparison.run(family, own, repetitions);
            // After each family, so that a long run that is interrupted keeps what it has.
            target.update(settings, byTitle(comparison), floors, Targets.rows());
        }
        System.out.println("Written: " + pagePath());
        return 0;
    }

    private static Map<String, Samples> byTitle(Comparison comparison) {
        Map<String, Samples> byTitle = new LinkedHashMap<>();
        comparison.samples().forEach((family, samples) -> byTitle.put(family.title(), samples));
        return byTitle;
    }

    private Path pagePath() throws IOException {
        if (!page.toString().isEmpty()) return page.toAbsolutePath();
        Path folder = root.resolve(quick ? "bench/target/quick" : "docs");
        Files.createDirectories(folder);
        return folder.resolve("performance.md");
    }
}
