package dev.ottla.acceptance;

import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;

/// A Streams application in a process of its own, to be killed: counts the values of a topic in a
/// store over a changelog topic, behind a repartition topic, and writes each new count to another
/// topic.
///
/// Arguments: bootstrap servers, application id, state directory, input topic, output topic.
final class StreamsCountMain {
    private StreamsCountMain() {}

    public static void main(String[] arguments) {
        Properties properties = new Properties();
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, arguments[0]);
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, arguments[1]);
        properties.put(StreamsConfig.STATE_DIR_CONFIG, arguments[2]);
        properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
        properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
        properties.put(StreamsConfig.consumerPrefix("session.timeout.ms"), 3_000);
        properties.put(StreamsConfig.consumerPrefix("heartbeat.interval.ms"), 500);
        properties.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
        properties.put(StreamsConfig.producerPrefix("linger.ms"), 5);

        StreamsBuilder builder = new StreamsBuilder();
        builder.stream(arguments[3], Consumed.with(Serdes.String(), Serdes.String()))
                .groupBy((key, value) -> value, Grouped.with(Serdes.String(), Serdes.String()))
                .count(Materialized.as("counts"))
                .toStream()
                .to(arguments[4], Produced.with(Serdes.String(), Serdes.Long()));
        KafkaStreams streams = new KafkaStreams(builder.build(), properties);
        streams.setUncaughtExceptionHandler(error -> {
            error.printStackTrace();
            Runtime.getRuntime().halt(1);
            throw new IllegalStateException("halted");
        });
        streams.start();
    }
}
