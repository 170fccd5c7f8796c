package dev.ottla.bench.scenario;

import java.io.IOException;

/// One thing that is measured on both brokers in turn.
public sealed interface Scenario permits OnWarmBroker, OnOwnBroker {
    /// Unique; as it stands on the command line and in tables.
    String name();

    Family family();

    /// One line for the list of scenarios.
    String about();

    /// How many brokers the cluster has that it runs on.
    default int brokers() {
        return 1;
    }

    /// Measures once, on one side.
    void run(Trial trial) throws IOException, InterruptedException;
}
