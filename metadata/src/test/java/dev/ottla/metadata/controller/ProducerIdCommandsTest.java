package dev.ottla.metadata.controller;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ProducerIdCommandsTest {
    @Test
    void blocksFollowOnEachOtherAndAreNeverGivenTwice() {
        TestCluster cluster = new TestCluster();

        ProducerIdBlock first = cluster.run(c -> c.allocateProducerIds(1, 5));
        ProducerIdBlock second = cluster.run(c -> c.allocateProducerIds(2, 6));

        assertThat(first).isEqualTo(new ProducerIdBlock(0, 1000));
        assertThat(second).isEqualTo(new ProducerIdBlock(1000, 2000));
    }
}
