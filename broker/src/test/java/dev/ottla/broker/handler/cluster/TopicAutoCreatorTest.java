package dev.ottla.broker.handler.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.address.AdvertisedAddresses;
import dev.ottla.broker.address.BrokerAddresses;
import dev.ottla.broker.coordinator.InternalTopics;
import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.broker.request.Asked;
import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.Surroundings;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.message.MetadataRequest;
import dev.ottla.wire.message.MetadataResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class TopicAutoCreatorTest {
    private static final int BROKERS = 3;

    @Test
    @Tag("config:offsets.topic.replication.factor")
    void topicOfTheOffsetsHasAsManyReplicasAsIsSet() {
        assertThat(replicas(Map.of())).isEqualTo(3);
        assertThat(replicas(Map.of("offsets.topic.replication.factor", "2"))).isEqualTo(2);
        assertThat(replicas(Map.of("offsets.topic.replication.factor", "5"))).isEqualTo(BROKERS);
    }

    /// Of the first partition that three brokers make of the topic.
    private static int replicas(Map<String, String> settings) {
        TestMetadata metadata = new TestMetadata(BROKERS);
        ConfigResolver resolver =
                new ConfigResolver(BrokerLayers.of(settings), Surroundings.of(BROKERS, 2));

        MetadataHandler handler =
                new MetadataHandler(
                        new ClusterView(
                                1,
                                metadata::image,
                                new BrokerAddresses(1, new AdvertisedAddresses(Optional.empty()))),
                        new TopicAutoCreator(
                                metadata::image,
                                () -> resolver,
                                topics ->
                                        metadata.service()
                                                .submit(controller ->
                                                        controller.createTopics(topics, false))
                                                .thenApply(_ -> Map.of())));
        MetadataRequest request =
                MetadataRequest.builder()
                        .topics(
                                List.of(
                                        MetadataRequest.MetadataRequestTopic.builder()
                                                .name(InternalTopics.CONSUMER_OFFSETS)
                                                .build()))
                        .build();
        var _ = Asked.ask(handler, 12, request, MetadataResponse.class);

        TopicState topic =
                metadata.service().image().topic(InternalTopics.CONSUMER_OFFSETS).orElseThrow();
        return topic.partition(0).orElseThrow().replicas().size();
    }
}
