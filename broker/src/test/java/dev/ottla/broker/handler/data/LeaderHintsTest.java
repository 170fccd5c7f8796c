package dev.ottla.broker.handler.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.address.AdvertisedAddresses;
import dev.ottla.broker.address.BrokerAddresses;
import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.request.FakeConnection;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.RequestMemory;
import dev.ottla.config.HostPort;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeaderHintsTest {
    private static final LeaderHints.Since SINCE = new LeaderHints.Since(12, 16);

    private final ClusterImage image = image();
    private final PartitionKey key = new PartitionKey(image.topic("t").orElseThrow().id(), 0);

    @Test
    void versionWithoutPlaceForALeaderGetsNone() {
        LeaderHints<HostPort> hints = hints(11);

        assertThat(hints.leader(key, ErrorCode.NOT_LEADER_OR_FOLLOWER)).isEmpty();
        assertThat(hints.leader(key, ErrorCode.FENCED_LEADER_EPOCH)).isEmpty();
        assertThat(hints.endpoints()).isEmpty();
    }

    @Test
    void versionWithoutPlaceForAddressesGetsTheLeaderAlone() {
        LeaderHints<HostPort> hints = hints(15);

        assertThat(hints.leader(key, ErrorCode.NOT_LEADER_OR_FOLLOWER))
                .map(LeaderHints.Leader::id)
                .contains(2);
        assertThat(hints.endpoints()).isEmpty();
    }

    @Test
    void newVersionGetsTheLeaderAndItsAddress() {
        LeaderHints<HostPort> hints = hints(16);

        assertThat(hints.leader(key, ErrorCode.FENCED_LEADER_EPOCH))
                .map(LeaderHints.Leader::id)
                .contains(2);
        assertThat(hints.endpoints()).containsExactly(new HostPort("host2", 9092));
    }

    @Test
    void otherErrorsNameNoLeader() {
        assertThat(hints(16).leader(key, ErrorCode.KAFKA_STORAGE_ERROR)).isEmpty();
    }

    private static ClusterImage image() {
        TestMetadata metadata = new TestMetadata(2);
        metadata.create("t", List.of(List.of(2)));
        return metadata.image();
    }

    private LeaderHints<HostPort> hints(int version) {
        AdvertisedAddresses own = new AdvertisedAddresses(Optional.empty());
        RequestContext context =
                new RequestContext(
                        ApiKey.FETCH,
                        (short) version,
                        1,
                        "a-client",
                        new FakeConnection(),
                        RequestMemory.UNCOUNTED,
                        0);
        return new LeaderHints<>(
                image, new BrokerAddresses(1, own), context, SINCE, (_, endpoint) -> endpoint);
    }
}
