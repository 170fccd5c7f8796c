package dev.ottla.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// What a topic must hold after a [Load] whose brokers were treated badly.
final class StoredRecords {
    private StoredRecords() {}

    /// The seed of a random run, printed; `-Dottla.seed` repeats one.
    static long seed(Class<?> test) {
        String given = System.getProperty("ottla.seed", "");
        long seed =
                given.isEmpty() ? ThreadLocalRandom.current().nextLong() : Long.parseLong(given);
        System.out.println(test.getSimpleName() + ": seed " + seed);
        return seed;
    }

    /// Each of the topic's partitions holds each acknowledged value at the offset that was
    /// acknowledged, and no value twice.
    static void assertIntact(Clients clients, String topic, int partitions, Load load, long seed) {
        Map<Integer, List<ConsumerRecord<byte[], byte[]>>> read =
                clients.readAll(topic).stream()
                        .collect(Collectors.groupingBy(ConsumerRecord::partition));
        for (int partition = 0; partition < partitions; partition++) {
            assertIntact(
                    read.getOrDefault(partition, List.of()), load.acknowledged(partition), seed);
        }
    }

    private static void assertIntact(
            List<ConsumerRecord<byte[], byte[]>> read, Map<Long, Long> acknowledged, long seed) {
        List<Long> values =
                read.stream().map(r -> Long.valueOf(new String(r.value(), UTF_8))).toList();
        List<Long> offsets = read.stream().map(ConsumerRecord::offset).toList();

        assertThat(offsets)
                .as("offsets have no gap (seed %d)", seed)
                .isEqualTo(IntStream.range(0, read.size()).mapToObj(i -> (long) i).toList());
        assertThat(acknowledged).as("something was written (seed %d)", seed).isNotEmpty();
        acknowledged.forEach((offset, value) ->
                assertThat(values.get(offset.intValue()))
                        .as("value at offset %d (seed %d)", offset, seed)
                        .isEqualTo(value));
        for (int i = 1; i < values.size(); i++) {
            assertThat(values.get(i))
                    .as("after %d at offset %d (seed %d)", values.get(i - 1), i, seed)
                    .isGreaterThan(values.get(i - 1));
        }
    }
}
