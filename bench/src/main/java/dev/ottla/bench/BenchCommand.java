package dev.ottla.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/// The top of the command tree of the harness.
@Command(
        name = "./ottla bench",
        mixinStandardHelpOptions = true,
        description = "Measures Ottla, alone and side by side with Apache Kafka.",
        subcommands = {CompareCommand.class, MicroCommand.class, HelpCommand.class})
public final class BenchCommand {
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new BenchCommand()).execute(arguments));
    }
}
