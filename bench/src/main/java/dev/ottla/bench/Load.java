package dev.ottla.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;

/// Load on one running broker through Kafka's own tools, with the broker's CPU time around it.
record Load(RunningBroker broker, Side side, Path java, Path libs, Samples samples) {
    private static final Pattern PRODUCED =
            Pattern.compile(
                    "(\\d+) records sent, ([0-9.]+) records/sec \\(([0-9.]+) MB/sec\\).*?([0-9.]+) ms 99th, ([0-9.]+) ms 99\\.9th\\.\\s*$");

    /// Returns as soon as one record was acknowledged.
    static void firstAcknowledgedRecord(RunningBroker broker) throws InterruptedException {
        Map<String, Object> config =
                Map.of(
                        "bootstrap.servers", broker.bootstrap(),
                        "reconnect.backoff.ms", "20",
                        "reconnect.backoff.max.ms", "20",
                        "retry.backoff.ms", "20",
                        "retry.backoff.max.ms", "20",
                        "acks", "all",
                        "max.block.ms", "120000");
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>("first", "record")).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "no record was acknowledged; is the broker alive: " + broker.isAlive(), e);
        }
    }

    void produceAndConsume(String run, int recordBytes, double gb, boolean measured)
            throws IOException, InterruptedException {
        String topic = "load-" + run;
        long records = (long) (gb * 1e9 / recordBytes);
        createTopic(topic);

        double cpuBefore = broker.cpuSeconds();
        String output = perfProduce(topic, records, recordBytes);
        double produceCpu = broker.cpuSeconds() - cpuBefore;
        requireStored(topic, records);
        cpuBefore = broker.cpuSeconds();
        long beganNs = System.nanoTime();
        perfConsume(topic, records);
        double consumeSeconds = (System.nanoTime() - beganNs) / 1e9;
        double consumeCpu = broker.cpuSeconds() - cpuBefore;

        if (measured) {
            Matcher produced = PRODUCED.matcher(output.strip());
            if (!produced.find()) throw new IOException("unreadable result: " + output);
            samples.add("produce 1 KiB, broker CPU s per GB", side, produceCpu / gb);
            samples.add("produce 1 KiB, MB/s", side, Double.parseDouble(produced.group(3)));
            samples.add(
                    "produce 1 KiB at full rate, p99 ms",
                    side,
                    Double.parseDouble(produced.group(4)));
            samples.add("consume 1 KiB, broker CPU s per GB", side, consumeCpu / gb);
            samples.add("consume 1 KiB, s (client start included)", side, consumeSeconds);
        }
        deleteTopic(topic);
    }

    void produceSmall(String run, double gb) throws IOException, InterruptedException {
        String topic = "small-" + run;
        long records = (long) (gb * 1e9 / 100);
        createTopic(topic);
        double cpuBefore = broker.cpuSeconds();
        perfProduce(topic, records, 100);
        double cpu = broker.cpuSeconds() - cpuBefore;
        requireStored(topic, records);
        samples.add("produce 100 B, broker CPU s per million", side, cpu / (records / 1e6));
        deleteTopic(topic);
    }

    private String perfProduce(String topic, long records, int recordBytes)
            throws IOException, InterruptedException {
        return RunningBroker.runTool(
                java,
                libs,
                List.of(
                        "org.apache.kafka.tools.ProducerPerformance",
                        "--topic",
                        topic,
                        "--num-records",
                        Long.toString(records),
                        "--record-size",
                        Integer.toString(recordBytes),
                        "--throughput",
                        "-1",
                        "--producer-props",
                        "bootstrap.servers=" + broker.bootstrap(),
                        "acks=1",
                        "batch.size=16384",
                        "linger.ms=5"));
    }

    private void perfConsume(String topic, long records) throws IOException, InterruptedException {
        String output =
                RunningBroker.runTool(
                        java,
                        libs,
                        List.of(
                                "org.apache.kafka.tools.ConsumerPerformance",
                                "--bootstrap-server",
                                broker.bootstrap(),
                                "--topic",
                                topic,
                                "--messages",
                                Long.toString(records),
                                "--timeout",
                                "60000"));
        if (output.contains("Exiting before consuming")) {
            throw new IOException("records are missing: " + output);
        }
    }

    private void createTopic(String topic) throws InterruptedException {
        String[] config = side.pageCacheTopicConfig().split("=", 2);
        NewTopic created =
                new NewTopic(topic, Optional.of(1), Optional.of((short) 1))
                        .configs(Map.of(config[0], config[1]));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            admin.createTopics(List.of(created)).all().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("topic " + topic + " cannot be created", e);
        }
    }

    /// The log must end exactly at the number of records sent: less is a loss, more is a double.
    private void requireStored(String topic, long records) throws InterruptedException {
        TopicPartition partition = new TopicPartition(topic, 0);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            long end =
                    admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                            .partitionResult(partition)
                            .get()
                            .offset();
            if (end != records) {
                throw new IllegalStateException(
                        topic
                                + " on "
                                + side.name()
                                + " holds "
                                + end
                                + " of "
                                + records
                                + " records");
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("the end of " + topic + " cannot be read", e);
        }
    }

    private void deleteTopic(String topic) throws InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            admin.deleteTopics(List.of(topic))
                    .all()
                    .get(Duration.ofMinutes(1).toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("topic " + topic + " cannot be deleted", e);
        }
    }
}
