package dev.ottla.bench.load;

import dev.ottla.bench.client.Topic;

/// What the producers of a load do together. Partitions are dealt to the connections in turn; with
/// more connections than partitions, several write to one.
///
/// @param window requests in flight on each connection, at most
/// @param batchesPerSecond over all connections; 0 for as fast as the window allows
/// @param batchCount over all connections
public record ProducerPlan(
        Topic topic,
        BatchShape shape,
        short acks,
        int connections,
        int window,
        double batchesPerSecond,
        long batchCount) {
    public static final short ACKS_NONE = 0;
    public static final short ACKS_LEADER = 1;
    public static final short ACKS_ALL = -1;

    /// As fast as it goes, each connection with as many requests in flight as Kafka's client has.
    public static ProducerPlan fullRate(Topic topic, BatchShape shape, long batchCount) {
        return new ProducerPlan(topic, shape, ACKS_LEADER, 4, 5, 0, batchCount);
    }

    public ProducerPlan acks(short changed) {
        return new ProducerPlan(
                topic, shape, changed, connections, window, batchesPerSecond, batchCount);
    }

    public ProducerPlan connections(int changed) {
        return new ProducerPlan(topic, shape, acks, changed, window, batchesPerSecond, batchCount);
    }

    public ProducerPlan window(int changed) {
        return new ProducerPlan(
                topic, shape, acks, connections, changed, batchesPerSecond, batchCount);
    }

    public ProducerPlan batchesPerSecond(double changed) {
        return new ProducerPlan(topic, shape, acks, connections, window, changed, batchCount);
    }

    public ProducerPlan batchCount(long changed) {
        return new ProducerPlan(topic, shape, acks, connections, window, batchesPerSecond, changed);
    }

    public long recordCount() {
        return batchCount * shape.recordCount();
    }

    public long payloadBytes() {
        return batchCount * shape.payloadBytes();
    }
}
