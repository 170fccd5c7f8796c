package dev.ottla.broker.address;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.request.ClientConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class AdvertisedAddressesTest {
    private static final Optional<Endpoint> NOTHING = Optional.empty();

    @Test
    void withoutConfigurationLoopbackIsLocalhostAndOthersAreToldTheAddressTheyReached() {
        AdvertisedAddresses addresses =
                addresses(new Endpoint("", 9092), NOTHING, Optional.empty());

        assertThat(addresses.forClient(reached("127.0.0.1"))).hasToString("localhost:9092");
        assertThat(addresses.forClient(reached("::1"))).hasToString("localhost:9092");
        assertThat(addresses.forClient(reached("192.0.2.7"))).hasToString("192.0.2.7:9092");
        assertThat(addresses.forClient(reached("2001:db8::7")))
                .hasToString("[2001:db8:0:0:0:0:0:7]:9092");
    }

    @Test
    void hostOfTheListenerIsTold() {
        AdvertisedAddresses addresses =
                addresses(new Endpoint("broker.example", 0), NOTHING, Optional.empty());

        assertThat(addresses.forClient(reached("127.0.0.1"))).hasToString("broker.example:9092");
    }

    @Test
    void advertisedAddressGoesBeforeTheListenersHost() {
        Endpoint bind = new Endpoint("10.0.0.1", 9092);

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
                        new Endpoint("", 9092),
                        Optional.of(new Endpoint("public.example", 443)),
                        Optional.of("nat.example"));

        assertThat(addresses.forClient(reached("127.0.0.1"))).hasToString("public.example:443");
        assertThat(addresses.forPeers("PLAINTEXT")).hasToString("public.example:443");
    }

    private static AdvertisedAddresses addresses(
            Endpoint bind, Optional<Endpoint> advertised, Optional<String> advertisedAddress) {
        return new AdvertisedAddresses(
                List.of(new ListenerConfig("PLAINTEXT", bind, advertised)),
                Map.of("PLAINTEXT", 9092),
                advertisedAddress);
    }

    private static ClientConnection reached(String local) {
        try {
            return new FakeConnection(new InetSocketAddress(InetAddress.getByName(local), 9092));
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private record FakeConnection(InetSocketAddress localAddress) implements ClientConnection {
        @Override
        public String listenerName() {
            return "PLAINTEXT";
        }

        @Override
        public InetSocketAddress remoteAddress() {
            return localAddress;
        }

        @Override
        public Executor loop() {
            return Runnable::run;
        }

        @Override
        public int loopIndex() {
            return 0;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public boolean isSlow() {
            return false;
        }

        @Override
        public <T> T attachment(Class<T> type, Supplier<T> initial) {
            return initial.get();
        }

        @Override
        public void clientSoftware(String name, String version) {}

        @Override
        public String clientSoftwareName() {
            return "";
        }

        @Override
        public String clientSoftwareVersion() {
            return "";
        }
    }
}
