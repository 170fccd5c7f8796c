package dev.ottla.bench.scenario;

/// A scenario on a cluster of three, in which each record can have three replicas and every broker
/// votes on the metadata.
interface OnThreeBrokers extends OnOwnBroker {
    int BROKERS = 3;

    @Override
    default int brokers() {
        return BROKERS;
    }
}
