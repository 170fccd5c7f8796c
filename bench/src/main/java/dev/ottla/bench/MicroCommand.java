package dev.ottla.bench;

import static dev.ottla.commandline.CommandLines.flag;
import static dev.ottla.commandline.CommandLines.valued;

import dev.ottla.bench.micro.FrameDecode;
import dev.ottla.commandline.CommandLines;
import dev.ottla.commandline.HelpPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/// Runs the JMH measurements of the inner loops.
///
/// @param include a regular expression for those that shall run
record MicroCommand(String include, boolean quick) {
    private static final String HELP =
            """
            Usage: ./ottla bench micro [OPTIONS]
            Measures the inner loops of Ottla with JMH: time and allocation of each. Writes
            docs/performance/micro.csv.
            OPTIONS
            """;

    private static final Option INCLUDE =
            valued("include", "REGEX", "only what this regular expression finds (default: .*)");
    private static final Option QUICK =
            flag(
                    "quick",
                    "one short iteration each, for a first look; the file goes to bench/target/quick");

    private static final List<Option> ALL = List.of(INCLUDE, QUICK);

    static String help() {
        return HelpPage.of(HELP, ALL);
    }

    /// Throws as [CommandLines#read] does when the words cannot be understood.
    static MicroCommand parse(List<String> words) {
        CommandLine line = CommandLines.read(ALL, List.of(), words);
        return new MicroCommand(line.getOptionValue(INCLUDE, ".*"), line.hasOption(QUICK));
    }

    void run() throws RunnerException, IOException {
        Path root = Path.of(System.getProperty("ottla.root", ".")).toAbsolutePath();
        Path folder = root.resolve(quick ? "bench/target/quick" : "docs/performance");
        Files.createDirectories(folder);
        String micro = FrameDecode.class.getPackageName().replace(".", "\\.");
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include(micro + "\\..*" + include)
                        .mode(Mode.AverageTime)
                        .timeUnit(TimeUnit.NANOSECONDS)
                        .addProfiler("gc")
                        .result(folder.resolve("micro.csv").toString())
                        .resultFormat(ResultFormatType.CSV)
                        .forks(1)
                        .warmupIterations(quick ? 1 : 5)
                        .measurementIterations(quick ? 1 : 5)
                        .warmupTime(TimeValue.seconds(1))
                        .measurementTime(TimeValue.seconds(quick ? 1 : 2));
        var _ = new Runner(options.build()).run();
    }
}
