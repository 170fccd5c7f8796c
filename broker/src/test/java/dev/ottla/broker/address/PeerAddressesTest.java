package dev.ottla.broker.address;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.config.HostPort;
import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.ImageVersion;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class PeerAddressesTest {
    private final ClusterImage image = image();

    @Test
    @Tag("config:inter.broker.listener.name")
    void otherBrokersAreFoundAtTheListenerForThem() {
        assertThat(new PeerAddresses("INSIDE").find(2, image))
                .contains(new HostPort("inside2", 9093));
    }

    @Test
    void brokerWithoutThatListenerIsFoundAtItsFirst() {
        assertThat(new PeerAddresses("OTHER").find(2, image))
                .contains(new HostPort("outside2", 9092));
    }

    @Test
    void unknownBrokerIsNotFound() {
        assertThat(new PeerAddresses("INSIDE").find(3, image)).isEmpty();
    }

    private static ClusterImage image() {
        ImageDelta delta = new ImageDelta(ClusterImage.EMPTY);
        delta.replay(
                new MetadataRecord.RegisterBroker(
                        2,
                        new Uuid(2, 1),
                        5,
                        List.of(
                                new BrokerEndpoint("OUTSIDE", "outside2", 9092, (short) 0),
                                new BrokerEndpoint("INSIDE", "inside2", 9093, (short) 0)),
                        Features.supported(),
                        Optional.empty(),
                        false,
                        false,
                        List.of(new Uuid(2, 2)),
                        List.of()));
        return delta.apply(new ImageVersion(5, 1));
    }
}
