package dev.ottla.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The page of figures: what stands between its markers is written by the harness, the rest by
/// people. Raw data and pictures lie in a folder beside it, one file a family.
public final class PerformancePage {
    private static final String BEGIN = "<!-- figures: begin -->";
    private static final String END = "<!-- figures: end -->";
    private static final String FLOORS = "floors";

    private final Path page;
    private final Path folder;

    /// The page `NAME.md`; data and pictures go to the folder `NAME`.
    public PerformancePage(Path page) {
        this.page = page;
        String name = page.getFileName().toString();
        this.folder = page.resolveSibling(name.substring(0, name.length() - ".md".length()));
    }

    /// Adds what a run measured to the raw data, in place of what earlier runs of the same
    /// scenarios did, and writes tables and pictures anew from all of it.
    public void update(
            String settings, Map<String, Samples> byFamily, Samples floors, List<TargetRow> rows)
            throws IOException {
        Files.createDirectories(folder);
        if (!floors.all().isEmpty()) Csv.writeFile(csv(FLOORS), floors);
        Samples together = new Samples();
        Map<String, Samples> merged = new LinkedHashMap<>();
        for (Map.Entry<String, Samples> family : byFamily.entrySet()) {
            Samples samples = Csv.readFile(csv(family.getKey()));
            samples.replace(family.getValue());
            samples.all().forEach(together::add);
            if (samples.all().isEmpty()) continue;
            merged.put(family.getKey(), samples);
            Csv.writeFile(csv(family.getKey()), samples);
            drawSeries(family.getValue());
            Files.writeString(
                    folder.resolve(family.getKey() + ".svg"),
                    RatioPicture.draw(family.getKey(), samples));
        }
        String figures =
                settings
                        + "\n\n"
                        + Tables.targets(rows, together)
                        + "\n"
                        + Tables.floors(Csv.readFile(csv(FLOORS)))
                        + families(merged);
        String before = Files.exists(page) ? Files.readString(page) : "# Performance\n";
        Files.writeString(page, between(before, figures));
    }

    /// The course of what was run now; that of earlier runs stays as it is.
    private void drawSeries(Samples samples) throws IOException {
        for (String scenario : samples.scenariosWithSeries()) {
            List<Series> series = samples.series(scenario);
            Files.writeString(overTime(scenario, ".csv"), Csv.write(series));
            Files.writeString(
                    overTime(scenario, ".svg"),
                    SeriesPicture.draw(scenario + ": worst latency of each second, ms", series));
        }
    }

    private Path overTime(String scenario, String suffix) {
        return folder.resolve(scenario + "-over-time" + suffix);
    }

    private String families(Map<String, Samples> merged) {
        StringBuilder text = new StringBuilder();
        merged.forEach((family, samples) -> {
            String file = folder.getFileName() + "/" + family;
            text.append("\n### ").append(family).append("\n\n");
            text.append("[Raw data](%s.csv). ![%s](%s.svg)%n%n".formatted(file, family, file));
            text.append(Tables.figures(samples));
            for (String scenario :
                    samples.all().stream().map(Sample::scenario).distinct().toList()) {
                if (!Files.exists(overTime(scenario, ".svg"))) continue;
                String picture = folder.getFileName() + "/" + scenario + "-over-time.svg";
                text.append("%n![%s over time](%s)%n".formatted(scenario, picture));
            }
        });
        return text.toString();
    }

    /// Puts text between the markers, which are added at the end of a page without them.
    static String between(String page, String text) {
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        if (begin < 0 || end < begin) {
            return page + "\n" + BEGIN + "\n" + text + "\n" + END + "\n";
        }
        return page.substring(0, begin + BEGIN.length()) + "\n" + text + "\n" + page.substring(end);
    }

    private Path csv(String family) {
        return folder.resolve(family + ".csv");
    }
}
