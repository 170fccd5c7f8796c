package dev.ottla.bench.side;

import java.net.InetSocketAddress;

/// What a load runs against: one broker, or the brokers of a cluster.
public sealed interface Brokers permits RunningBroker, RunningCluster {
    Side side();

    /// A broker that can be asked for anything but the records that others lead.
    InetSocketAddress address();

    /// User and system seconds of all processes since their starts.
    double cpuSeconds();

    /// How many there are.
    int size();
}
