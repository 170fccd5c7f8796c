package dev.ottla.chaos;

import dev.ottla.chaos.report.Judgement;
import dev.ottla.chaos.report.Verdict;
import dev.ottla.commandline.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/// `./ottla chaos`.
public final class ChaosCommand {
    /// Nothing was proven: the command line cannot be meant.
    private static final int USAGE = Verdict.Outcome.VOID.exitCode();

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
            return run(options);
        } catch (UsageException e) {
            err.println(e.getMessage());
            err.println("./ottla chaos --help explains every option.");
            return USAGE;
        }
    }

    private int run(ChaosOptions options) throws IOException {
        long seed = options.seed().orElseGet(() -> ThreadLocalRandom.current().nextInt(1_000_000));
        Path directory = directory(options, seed);
        Path history = directory.resolve("history.jsonl");
        out.println("Seed " + seed + ", files in " + directory);
        try {
            new ChaosRun(options, seed, directory, out).run(history);
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
