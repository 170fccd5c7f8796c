package dev.ottla.cli;

import dev.ottla.broker.server.Host;
import java.util.List;

/// Process entry point: hands the arguments to [OttlaCommand] and exits with its code.
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws InterruptedException {
        run(arguments, Host.real());
    }

    /// The same, where a broker that is started runs on another host.
    public static void run(String[] arguments, Host host) throws InterruptedException {
        LogSetup.use();
        System.exit(new OttlaCommand(host, System.out, System.err).run(List.of(arguments)));
    }
}
