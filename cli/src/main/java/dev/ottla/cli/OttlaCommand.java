package dev.ottla.cli;

import dev.ottla.broker.server.Host;
import dev.ottla.broker.server.StartRefusedException;
import dev.ottla.commandline.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/// The top of the command tree: finds the command, runs it, and tells people what went wrong. A
/// refusal is one sentence, anything unexpected comes with its stack trace.
final class OttlaCommand {
    static final int DONE = 0;

    /// A start that was refused, or a broker that had to end, for a reason the user can mend.
    static final int REFUSED = 1;

    /// The command line cannot be meant.
    static final int USAGE = 2;

    private static final String HELP =
            """
            Usage: ./ottla COMMAND [OPTIONS]
              start       run a broker
              cluster     show a cluster, give topics more replicas, take a broker out
              --version   print which Ottla this is
            Each command explains itself with --help.
            """;

    private final Host host;
    private final PrintStream out;
    private final PrintStream err;

    OttlaCommand(Host host, PrintStream out, PrintStream err) {
        this.host = host;
        this.out = out;
        this.err = err;
    }

    /// Returns the exit code.
    int run(List<String> words) throws InterruptedException {
        String command = words.isEmpty() ? "" : words.getFirst();
        List<String> rest = words.isEmpty() ? words : words.subList(1, words.size());
        try {
            return switch (command) {
                case "start" -> start(rest);
                case "cluster" -> cluster(rest);
                case "train" -> train(rest);
                case "train-cluster" -> trainCluster(rest);
                case "-V", "--version" -> print(Version.line());
                case "-h", "--help", "help" -> print(HELP.strip());
                case "" -> {
                    err.print(HELP);
                    yield USAGE;
                }
                default -> {
                    err.println("unknown command " + command);
                    err.print(HELP);
                    yield USAGE;
                }
            };
        } catch (Refusal | StartRefusedException e) {
            err.println("Ottla did not start: " + e.getMessage());
            return REFUSED;
        } catch (Ended e) {
            err.println("Ottla ends: " + e.getMessage());
            return REFUSED;
        } catch (ClusterFailure e) {
            String why = String.valueOf(e.getMessage());
            err.println("Ottla did not do that: " + why + (why.endsWith(".") ? "" : "."));
            return REFUSED;
        } catch (UsageException e) {
            err.println(e.getMessage());
            err.println("./ottla " + command + " --help explains every option.");
            return USAGE;
        } catch (RuntimeException | IOException e) {
            err.println("Ottla failed in a way it should not have:");
            e.printStackTrace(err);
            return REFUSED;
        }
    }

    private int start(List<String> words) throws InterruptedException, IOException {
        if (words.contains("--help") || words.contains("-h")) return print(StartOptions.help());
        if (words.contains("--version") || words.contains("-V")) return print(Version.line());
        new StartCommand(StartOptions.parse(words), host, out).run();
        return DONE;
    }

    private int cluster(List<String> words) throws InterruptedException {
        if (words.contains("--help") || words.contains("-h")) {
            return print(ClusterOptions.help(words));
        }
        return new ClusterCommand(ClusterOptions.parse(words), out).run() ? DONE : REFUSED;
    }

    private int train(List<String> words) throws IOException {
        TrainCommand.run(words, out);
        return DONE;
    }

    private int trainCluster(List<String> words) throws InterruptedException, IOException {
        TrainClusterCommand.run(words, out);
        return DONE;
    }

    private int print(String text) {
        out.println(text.stripTrailing());
        return DONE;
    }
}
