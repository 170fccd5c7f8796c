package dev.ottla.bench.load;

import dev.ottla.bench.client.Topic;

/// What the consumers of a load do together: each reads its share of the partitions, dealt in turn,
/// from offset 0. With more connections than partitions, several read the same one.
///
/// @param partitionBytes most bytes of one partition in an answer
/// @param answerBytes most bytes of an answer
public record ConsumerPlan(Topic topic, int connections, int partitionBytes, int answerBytes) {
    /// Kafka's defaults for a partition, and a bound for the whole that keeps buffers small.
    public static ConsumerPlan of(Topic topic, int connections) {
        return new ConsumerPlan(topic, connections, 1 << 20, 8 << 20);
    }
}
