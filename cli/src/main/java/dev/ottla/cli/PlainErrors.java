package dev.ottla.cli;

import dev.ottla.broker.server.StartRefusedException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/// Prints a refusal as one sentence and anything unexpected with its stack trace.
final class PlainErrors implements IExecutionExceptionHandler {
    /// Exit code of a start that was refused for a reason the user can mend.
    static final int REFUSED = 1;

    @Override
    public int handleExecutionException(
            Exception exception, CommandLine commandLine, ParseResult parseResult) {
        PrintWriter err = commandLine.getErr();
        if (exception instanceof Refusal || exception instanceof StartRefusedException) {
            err.println("Ottla did not start: " + exception.getMessage());
        } else {
            err.println("Ottla failed in a way it should not have:");
            exception.printStackTrace(err);
        }
        return REFUSED;
    }
}
