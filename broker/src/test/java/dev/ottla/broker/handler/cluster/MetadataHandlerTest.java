package dev.ottla.broker.handler.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.address.AdvertisedAddresses;
import dev.ottla.broker.address.BrokerAddresses;
import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.broker.request.Asked;
import dev.ottla.broker.request.Responder;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.MetadataRequest;
import dev.ottla.wire.message.MetadataRequest.MetadataRequestTopic;
import dev.ottla.wire.message.MetadataResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class MetadataHandlerTest {
    private final TestMetadata metadata = new TestMetadata(1);
    private final MetadataHandler handler =
            new MetadataHandler(
                    new ClusterView(
                            1,
                            metadata::image,
                            new BrokerAddresses(1, new AdvertisedAddresses(Optional.empty()))),
                    new NoCreation());

    /// The consumer protocol's clients ask by id alone and leave every name empty.
    @Test
    void topicsAskedByIdAreAllAnswered() {
        metadata.create("t", List.of(List.of(1)));
        metadata.create("u", List.of(List.of(1)));

        MetadataResponse answer =
                Asked.ask(
                        handler,
                        13,
                        MetadataRequest.builder()
                                .topics(List.of(byId("t"), byId("u")))
                                .allowAutoTopicCreation(false)
                                .build(),
                        MetadataResponse.class);

        assertThat(answer.topics())
                .extracting(MetadataResponse.MetadataResponseTopic::name)
                .containsExactly("t", "u");
    }

    private MetadataRequestTopic byId(String name) {
        return MetadataRequestTopic.builder()
                .topicId(metadata.image().topic(name).orElseThrow().id())
                .name("")
                .build();
    }

    private static final class NoCreation implements AutoTopicCreation {
        @Override
        public boolean isEnabled() {
            return false;
        }

        @Override
        public void create(
                List<String> names, Consumer<Map<String, ErrorCode>> done, Responder request) {
            done.accept(Map.of());
        }
    }
}
