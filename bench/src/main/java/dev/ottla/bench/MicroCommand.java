package dev.ottla.bench;

import dev.ottla.bench.micro.FrameDecode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Runs the JMH measurements of the inner loops.
@Command(
        name = "micro",
        mixinStandardHelpOptions = true,
        description =
                "Measures the inner loops of Ottla with JMH: time and allocation of each. Writes docs/performance/micro.csv.")
final class MicroCommand implements Callable<Integer> {
    @Option(
            names = "--include",
            description = "Only what this regular expression finds. Default: ${DEFAULT-VALUE}.")
    private String include = ".*";

    @Option(
            names = "--quick",
            description =
                    "One short iteration each, for a first look; the file goes to bench/target/quick.")
    private boolean quick;

    @Override
    public Integer call() throws RunnerException, IOException {
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
        return 0;
    }
}
