package dev.ottla.cli;

import java.util.List;

/// Process entry point: hands the arguments to [OttlaCommand] and exits with its code.
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws InterruptedException {
        LogSetup.use();
        System.exit(new OttlaCommand(System.out, System.err).run(List.of(arguments)));
    }
}
