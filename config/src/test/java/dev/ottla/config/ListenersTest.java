package dev.ottla.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ListenersTest {
    @Test
    void defaultIsEveryInterfaceOnKafkasPort() {
        assertThat(listeners(Map.of()).all())
                .containsExactly(
                        new Listener(
                                "PLAINTEXT",
                                "PLAINTEXT",
                                new HostPort("", 9092),
                                Optional.empty(),
                                false));
    }

    @Test
    void namesProtocolsAndAdvertisedAddressesComeTogether() {
        Listeners listeners =
                listeners(
                        Map.of(
                                "listeners", "inside://[::1]:9094, OUTSIDE://0.0.0.0:9095",
                                "advertised.listeners", "OUTSIDE://broker.example.org:443",
                                "listener.security.protocol.map",
                                        "INSIDE:PLAINTEXT,outside:plaintext"));

        assertThat(listeners.problems()).isEmpty();
        assertThat(listeners.all())
                .containsExactly(
                        new Listener(
                                "INSIDE",
                                "PLAINTEXT",
                                new HostPort("::1", 9094),
                                Optional.empty(),
                                false),
                        new Listener(
                                "OUTSIDE",
                                "PLAINTEXT",
                                new HostPort("0.0.0.0", 9095),
                                Optional.of(new HostPort("broker.example.org", 443)),
                                false));
    }

    @Test
    void listenersOfTheQuorumAreNotForClients() {
        Listeners listeners =
                listeners(Map.of("listeners", "PLAINTEXT://:9092,CONTROLLER://:9093"));

        assertThat(listeners.forClients()).extracting(Listener::name).containsExactly("PLAINTEXT");
    }

    @Test
    void aControllerAloneHasNoOtherListeners() {
        Listeners listeners =
                listeners(Map.of("listeners", "CONTROLLER://:9093", "process.roles", "controller"));

        assertThat(listeners.problems()).isEmpty();
        assertThat(listeners.clientsFirst())
                .extracting(Listener::name)
                .containsExactly("CONTROLLER");
    }

    @Test
    @Tag("config:controller.listener.names")
    void listenersOfClientsComeFirst() {
        Listeners listeners =
                listeners(
                        Map.of(
                                "listeners",
                                "QUORUM://:9093,PLAINTEXT://:9092",
                                "controller.listener.names",
                                "QUORUM"));

        assertThat(listeners.clientsFirst())
                .extracting(Listener::name)
                .containsExactly("PLAINTEXT", "QUORUM");
    }

    @Test
    void connectionLimitsAreReadWithTheirOverrides() {
        ConfigValues broker =
                values(
                        Map.of(
                                "max.connections.per.ip",
                                "5",
                                "max.connections.per.ip.overrides",
                                "10.0.0.1:50, ::1:7"));

        assertThat(AddressLimits.of(broker))
                .isEqualTo(new AddressLimits(5, Map.of("10.0.0.1", 50, "0:0:0:0:0:0:0:1", 7)));
    }

    @Test
    void hostAndPortSurviveBeingWrittenAndRead() {
        for (String text : new String[] {"localhost:9092", "[fe80::1]:9092", ":0"}) {
            assertThat(HostPort.parse(text).orElseThrow().toString()).isEqualTo(text);
        }
        assertThat(HostPort.parse("localhost:65536")).isEmpty();
        assertThat(HostPort.parse("localhost")).isEmpty();
    }

    @Test
    void portMayBeMissingWhereThereIsADefault() {
        assertThat(HostPort.parse("nat.example", 7)).contains(new HostPort("nat.example", 7));
        assertThat(HostPort.parse("nat.example:9", 7)).contains(new HostPort("nat.example", 9));
        assertThat(HostPort.parse("2001:db8::7", 7)).contains(new HostPort("2001:db8::7", 7));
        assertThat(HostPort.parse("[2001:db8::7]", 7)).contains(new HostPort("2001:db8::7", 7));
        assertThat(HostPort.parse("[2001:db8::7]:9", 7)).contains(new HostPort("2001:db8::7", 9));
        assertThat(HostPort.parse("nat.example:x", 7)).isEmpty();
        assertThat(HostPort.parse("nat.example:65536", 7)).isEmpty();
    }

    private static Listeners listeners(Map<String, String> file) {
        return Listeners.of(values(file));
    }

    private static ConfigValues values(Map<String, String> file) {
        return new ConfigResolver(BrokerLayers.of(file), Surroundings.of(1, 4)).broker();
    }
}
