package dev.ottla.bench;

import dev.ottla.commandline.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.openjdk.jmh.runner.RunnerException;

/// The top of the command tree of the harness.
public final class BenchCommand {
    static final int DONE = 0;

    /// The command line cannot be meant.
    static final int USAGE = 2;

    private static final String HELP =
            """
            Usage: ./ottla bench COMMAND [OPTIONS]
            Measures Ottla, alone and side by side with Apache Kafka.
              compare   Ottla and Apache Kafka side by side; writes docs/performance.md
              micro     the inner loops of Ottla with JMH
            Each command explains itself with --help.
            """;

    private final PrintStream out;
    private final PrintStream err;

    BenchCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    public static void main(String[] arguments) throws Exception {
        System.exit(new BenchCommand(System.out, System.err).run(List.of(arguments)));
    }

    /// Returns the exit code.
    int run(List<String> words) throws IOException, InterruptedException, RunnerException {
        String command = words.isEmpty() ? "" : words.getFirst();
        List<String> rest = words.isEmpty() ? words : words.subList(1, words.size());
        boolean help = rest.contains("--help") || rest.contains("-h");
        try {
            switch (command) {
                case "compare" -> {
                    if (help) return print(CompareOptions.help());
                    new CompareCommand(CompareOptions.parse(rest), out).run();
                }
                case "micro" -> {
                    if (help) return print(MicroCommand.help());
                    MicroCommand.parse(rest).run();
                }
                case "-h", "--help", "help" -> out.print(HELP);
                case "" -> {
                    err.print(HELP);
                    return USAGE;
                }
                default -> {
                    err.println("unknown command " + command);
                    err.print(HELP);
                    return USAGE;
                }
            }
            return DONE;
        } catch (UsageException e) {
            err.println(e.getMessage());
            err.println("./ottla bench " + command + " --help explains every option.");
            return USAGE;
        }
    }

    private int print(String text) {
        out.print(text);
        return DONE;
    }
}
