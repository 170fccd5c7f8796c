package dev.ottla.chaos;

import dev.ottla.chaos.cluster.ClusterState;
import dev.ottla.chaos.cluster.GivenCluster;
import dev.ottla.chaos.report.Judgement;
import dev.ottla.chaos.report.Verdict;
import dev.ottla.commandline.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/// `./ottla chaos`.
public final class ChaosCommand {
    /// Nothing was proven: the command line cannot be meant.
    private static final int USAGE = Verdict.Outcome.VOID.exitCode();

    /// Of a call of a hook, which may wait for a node to end.
    private static final Duration HOOK_LIMIT = Duration.ofSeconds(30);

    private static final DateTimeFormatter BY_THE_SECOND =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    private final PrintStream out;
    private final PrintStream err;

    ChaosCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    public static void main(String[] arguments) throws Exception {
        // Clients of a cluster that is gone may still have threads.
        System.exit(new ChaosCommand(System.out, System.err).run(List.of(arguments)));
    }

    /// Returns the exit code.
    int run(List<String> words) throws IOException {
        if (words.contains("--help") || words.contains("-h")) {
            out.print(ChaosOptions.help());
            return 0;
        }
        try {
            ChaosOptions options = ChaosOptions.parse(words);
            if (options.check().isPresent()) {
                return judge(options.check().get());
            }
            return options.given().isPresent()
                    ? run(options, options.given().get())
                    : run(options, Optional.empty());
        } catch (UsageException e) {
            err.println(e.getMessage());
            err.println("./ottla chaos --help explains every option.");
            return USAGE;
        }
    }

    /// In a cluster that is there already, and stays.
    private int run(ChaosOptions options, ChaosOptions.Given there) throws IOException {
        try (GivenCluster cluster =
                        GivenCluster.connect(
                                there.bootstrap(), there.hook(), HOOK_LIMIT, out::println);
                ClusterState state = new ClusterState(there.bootstrap())) {
            Footprint footprint = new Footprint(state);
            footprint.refuseIfThere();
            out.println(
                    there.hook().isPresent()
                            ? "Disks, files and clocks of nodes are left alone: that takes a cluster of its own."
                            : "Left out, because they need --hook: all faults on nodes.");
            int exitCode = run(options, Optional.of(cluster));
            out.println(leave(footprint, exitCode));
            return exitCode;
        } catch (IllegalStateException e) {
            err.println(e.getMessage());
            return USAGE;
        }
    }

    /// Returns what is to be said of it.
    private static String leave(Footprint footprint, int exitCode) {
        if (exitCode != Verdict.Outcome.PASS.exitCode()) {
            return "The run's topics and groups, whose names begin with chaos-, stay in the cluster, because the verdict is not PASS. Delete them before the next run.";
        }
        Set<String> left = footprint.delete();
        return left.isEmpty()
                ? "The run's topics and groups were deleted."
                : "Not all of the run's topics and groups could be deleted: "
                        + String.join(", ", left);
    }

    private int run(ChaosOptions options, Optional<GivenCluster> given) throws IOException {
        long seed = options.seed().orElseGet(() -> ThreadLocalRandom.current().nextInt(1_000_000));
        Path directory = directory(options, seed);
        Path history = directory.resolve("history.jsonl");
        out.println("Seed " + seed + ", files in " + directory);
        try {
            new ChaosRun(options, seed, directory, given, out).run(history);
        } catch (IllegalStateException | AssertionError e) {
            err.println("The run did not come to its end: " + e.getMessage());
        }
        // What happened up to there may be enough for a verdict.
        return judge(history);
    }

    private int judge(Path history) throws IOException {
        Judgement judgement = Judgement.of(history);
        Path report = history.resolveSibling("report.html");
        judgement.writeReport(report);
        judgement.details().forEach(out::println);
        out.println(judgement.verdict().text());
        out.println("History: " + history + ", report: " + report);
        if (!judgement.repeat().isEmpty()) {
            out.println("Repeat with: " + judgement.repeat());
        }
        return judgement.verdict().outcome().exitCode();
    }

    private static Path directory(ChaosOptions options, long seed) throws IOException {
        String now = BY_THE_SECOND.format(LocalDateTime.now(ZoneId.systemDefault()));
        Path directory = options.out().orElse(Path.of("ottla-chaos", now + "-" + seed));
        return Files.createDirectories(directory.toAbsolutePath());
    }
}
