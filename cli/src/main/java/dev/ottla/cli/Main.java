package dev.ottla.cli;

import picocli.CommandLine;

/// Process entry point: hands the arguments to [OttlaCommand] and exits with its code.
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new OttlaCommand())
                .setCommandName("./ottla")
                .setExecutionExceptionHandler(new PlainErrors())
                .setUsageHelpAutoWidth(true);
    }
}
