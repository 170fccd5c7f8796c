package dev.ottla.bench;

import static dev.ottla.commandline.CommandLines.flag;
import static dev.ottla.commandline.CommandLines.valued;

import dev.ottla.bench.report.Sample;
import dev.ottla.bench.scenario.Catalog;
import dev.ottla.bench.scenario.Scale;
import dev.ottla.bench.scenario.Scenario;
import dev.ottla.commandline.CommandLines;
import dev.ottla.commandline.HelpPage;
import dev.ottla.commandline.UsageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;

/// What a comparison may be told. Immutable.
///
/// @param scenarios those that shall run
/// @param sides names of those that shall run, `Ottla`, `Kafka` or both
/// @param page the page to write, where it is not the usual one
/// @param workDir where data directories are made
record CompareOptions(
        boolean list,
        List<Scenario> scenarios,
        boolean quick,
        int rounds,
        Set<String> sides,
        Optional<Path> page,
        Path workDir) {
    private static final String HELP =
            """
            Usage: ./ottla bench compare [OPTIONS]
            Measures Ottla and Apache Kafka side by side on this machine: each scenario on both, in turn,
            three times. Writes docs/performance.md, with raw data and pictures beside it; scenarios that
            were not run keep their earlier figures.
            OPTIONS

            All scenarios take some hours: run one family after the other.
            """;
    private static final String TEMPORARY = "java.io.tmpdir";

    private static final Option SCENARIO =
            valued("scenario", "NAME", "a scenario, a family of them, or all (default: all)");
    private static final Option LIST =
            flag("list", "name the scenarios, family by family, and end");
    private static final Option QUICK =
            flag(
                    "quick",
                    "small and once, for a first look; the page goes to bench/target/quick instead of docs");
    private static final Option ROUNDS =
            valued("rounds", "COUNT", "repetitions on each side (default: 3, with --quick 1)");
    private static final Option SIDE =
            valued(
                    "side",
                    "NAME",
                    "ottla or kafka alone; the other keeps its earlier figures (default: both)");
    private static final Option PAGE =
            valued("page", "FILE", "write this page instead, its data and pictures beside it");
    private static final Option WORK_DIR =
            valued(
                    "work-dir",
                    "DIR",
                    "where data directories are made (default: that of the system for temporary files)");

    private static final List<Option> ALL =
            List.of(SCENARIO, LIST, QUICK, ROUNDS, SIDE, PAGE, WORK_DIR);

    static String help() {
        return HelpPage.of(HELP, ALL);
    }

    /// Throws [UsageException] when the words cannot be understood.
    static CompareOptions parse(List<String> words) {
        CommandLine line = CommandLines.read(ALL, List.of(), words);
        boolean quick = line.hasOption(QUICK);
        return new CompareOptions(
                line.hasOption(LIST),
                scenarios(line.getOptionValue(SCENARIO, "all")),
                quick,
                rounds(line, quick ? Scale.QUICK : Scale.FULL),
                sides(line.getOptionValue(SIDE, "both")),
                Optional.ofNullable(line.getOptionValue(PAGE)).map(Path::of),
                Path.of(line.getOptionValue(WORK_DIR, System.getProperty(TEMPORARY))));
    }

    Scale scale() {
        return quick ? Scale.QUICK : Scale.FULL;
    }

    private static List<Scenario> scenarios(String name) {
        List<Scenario> chosen = Catalog.named(name);
        if (chosen.isEmpty()) {
            throw new UsageException("no scenario or family " + name + "; --list names them");
        }
        return chosen;
    }

    private static Set<String> sides(String name) {
        return switch (name) {
            case "ottla" -> Set.of(Sample.OTTLA);
            case "kafka" -> Set.of(Sample.KAFKA);
            case "both" -> Set.of(Sample.OTTLA, Sample.KAFKA);
            default ->
                    throw new UsageException("--side takes ottla, kafka or both and got " + name);
        };
    }

    private static int rounds(CommandLine line, Scale scale) {
        String text = line.getOptionValue(ROUNDS, Integer.toString(scale.rounds()));
        try {
            int rounds = Integer.parseInt(text);
            if (rounds > 0) return rounds;
        } catch (NumberFormatException _) {
            // told below, as one that is too small
        }
        throw new UsageException("--rounds takes a number from 1 on and got " + text);
    }
}
