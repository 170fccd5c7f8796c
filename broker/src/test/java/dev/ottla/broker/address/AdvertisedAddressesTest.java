package dev.ottla.broker.address;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.request.ClientConnection;
import dev.ottla.broker.request.FakeConnection;
import dev.ottla.config.HostPort;
import dev.ottla.config.Listener;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AdvertisedAddressesTest {
    private static final Optional<HostPort> NOTHING = Optional.empty();

    @Test
    void withoutConfigurationLoopbackIsLocalhostAndOthersAreToldTheAddressTheyReached() {
        AdvertisedAddresses addresses =
                addresses(new HostPort("", 9092), NOTHING, Optional.empty());

        assertThat(addresses.forClient(reached("127.0.0.1"))).hasToString("localhost:9092");
        assertThat(addresses.forClient(reached("::1"))).hasToString("localhost:9092");
        assertThat(addresses.forClient(reached("192.0.2.7"))).hasToString("192.0.2.7:9092");
        assertThat(addresses.forClient(reached("2001:db8::7")))
                .hasToString("[2001:db8:0:0:0:0:0:7]:9092");
    }

    @Test
    void hostOfTheListenerIsTold() {
        AdvertisedAddresses addresses =
                addresses(new HostPort("broker.example", 0), NOTHING, Optional.empty());

        assertThat(addresses.forClient(reached("127.0.0.1"))).hasToString("broker.example:9092");
    }

    @Test
    void advertisedAddressGoesBeforeTheListenersHost() {
        HostPort bind = new HostPort("10.0.0.1", 9092);

        assertThat(
                        addresses(bind, NOTHING, Optional.of("nat.example"))
                                .forClient(reached("10.0.0.1")))
                .hasToString("nat.example:9092");
        assertThat(
                        addresses(bind, NOTHING, Optional.of("nat.example:19092"))
                                .forClient(reached("10.0.0.1")))
                .hasToString("nat.example:19092");
    }

    @Test
    void advertisedListenerGoesBeforeEverything() {
        AdvertisedAddresses addresses =
                addresses(
                        new HostPort("", 9092),
                        Optional.of(new HostPort("public.example", 443)),
                        Optional.of("nat.example"));

        assertThat(addresses.forClient(reached("127.0.0.1"))).hasToString("public.example:443");
        assertThat(addresses.forPeers("PLAINTEXT", "elsewhere")).hasToString("public.example:443");
    }

    private static AdvertisedAddresses addresses(
            HostPort bind, Optional<HostPort> advertised, Optional<String> advertisedAddress) {
        AdvertisedAddresses addresses = new AdvertisedAddresses(advertisedAddress);
        addresses.update(
                List.of(new Listener("PLAINTEXT", "PLAINTEXT", bind, advertised, false)),
                Map.of("PLAINTEXT", 9092));
        return addresses;
    }

    private static ClientConnection reached(String local) {
        return new FakeConnection(InetAddress.ofLiteral(local));
    }
}
