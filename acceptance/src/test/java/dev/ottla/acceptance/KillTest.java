package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.testkit.Await;
import dev.ottla.testkit.BrokerProcess;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// kill -9 in the middle of writes, again and again: what was acknowledged with acks=all is there,
/// once and in order.
@Order(1)
class KillTest {
    private static final int KILLS = Integer.getInteger("acceptance.kills", 12);
    private static final int PARTITIONS = 3;

    /// Half of the kills hit a broker whose one shard shares the network loop's thread, half one
    /// whose shards have threads of their own.
    @ParameterizedTest
    @ValueSource(strings = {"1", "2"})
    void acknowledgedRecordsSurviveKills(String shards) {
        long seed = StoredRecords.seed(KillTest.class);
        Random random = new Random(seed);
        try (BrokerProcess broker =
                        BrokerProcess.start(
                                BrokerProcess.Options.of(
                                                "group.initial.rebalance.delay.ms=0",
                                                "num.network.threads=1",
                                                "num.shards=" + shards)
                                        .withJvm("-Xmx256m", "-XX:TieredStopAtLevel=1"));
                Clients clients = new Clients(broker.bootstrap())) {
            String topic = clients.topic(PARTITIONS, "segment.bytes", "1048576");
            String group = Clients.name("group");
            TopicPartition committed = new TopicPartition(topic, 0);
            try (Load load = new Load(broker.bootstrap(), topic, PARTITIONS)) {
                for (int round = 0; round < KILLS / 2; round++) {
                    long target = load.acknowledged() + 500 + random.nextInt(2_500);
                    Await.until(
                            "records are acknowledged",
                            Await.DEADLINE,
                            () -> load.acknowledged() >= target,
                            () -> load.acknowledged() + "/" + target + "\n" + broker.output());
                    if (round % 5 == 0) {
                        commit(clients, group, committed, round);
                    }
                    broker.kill();
                    broker.start();
                }
                load.stop();

                StoredRecords.assertIntact(clients, topic, PARTITIONS, load, seed);
            }
            int lastCommit = (KILLS / 2 - 1) / 5 * 5;
            assertThat(
                            Clients.get(
                                    clients.admin()
                                            .listConsumerGroupOffsets(group)
                                            .partitionsToOffsetAndMetadata()))
                    .containsEntry(committed, new OffsetAndMetadata(lastCommit));
        }
    }

    private static void commit(
            Clients clients, String group, TopicPartition partition, long offset) {
        Clients.get(
                clients.admin()
                        .alterConsumerGroupOffsets(
                                group, Map.of(partition, new OffsetAndMetadata(offset)))
                        .all());
    }
}
