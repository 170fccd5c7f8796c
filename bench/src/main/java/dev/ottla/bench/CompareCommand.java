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
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Runs scenarios on both brokers in turn and writes the page of figures. A run whose records were
/// not all stored once and in order ends the comparison with an error.
final class CompareCommand {
    private final CompareOptions options;
    private final PrintStream out;
    private final Path root = Path.of(System.getProperty("ottla.root", ".")).toAbsolutePath();

    CompareCommand(CompareOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    void run() throws IOException, InterruptedException {
        if (options.list()) {
            for (Scenario each : Catalog.all()) {
                out.printf("%-12s %-24s %s%n", each.family().title(), each.name(), each.about());
            }
            return;
        }
        Scale scale = options.scale();
        Path workDir = options.workDir();
        Ottla ottla = new Ottla(root);
        Kafka kafka =
                new Kafka(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        root.resolve("bench/target/bench/lib"));
        Samples floors = Floors.measure(workDir, scale.of(1_000_000_000));
        Comparison comparison =
                new Comparison(
                        ottla, kafka, scale, workDir, Floors.sequentialMegabytesPerSecond(floors));
        Path page = page();
        PerformancePage target = new PerformancePage(page);
        String settings = Settings.describe(ottla, kafka, scale, options.rounds());
        for (Family family : Family.values()) {
            List<Scenario> own =
                    options.scenarios().stream().filter(s -> s.family() == family).toList();
            if (own.isEmpty()) continue;
            comparison.run(family, own, options.rounds(), options.sides());
            // After each family, so that a long run that is interrupted keeps what it has.
            target.update(settings, byTitle(comparison), floors, Targets.rows());
        }
        out.println("Written: " + page);
    }

    private static Map<String, Samples> byTitle(Comparison comparison) {
        Map<String, Samples> byTitle = new LinkedHashMap<>();
        comparison.samples().forEach((family, samples) -> byTitle.put(family.title(), samples));
        return byTitle;
    }

    private Path page() throws IOException {
        if (options.page().isPresent()) return options.page().get().toAbsolutePath();
        Path folder = root.resolve(options.quick() ? "bench/target/quick" : "docs");
        Files.createDirectories(folder);
        return folder.resolve("performance.md");
    }
}
