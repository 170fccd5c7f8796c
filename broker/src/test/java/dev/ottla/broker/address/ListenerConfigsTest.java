package dev.ottla.broker.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.Surroundings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ListenerConfigsTest {
    @Test
    void defaultIsOnePlainListenerOnEveryInterface() {
        assertThat(read(Map.of()))
                .containsExactly(
                        new ListenerConfig("PLAINTEXT", new Endpoint("", 9092), Optional.empty()));
    }

    @Test
    void namesAddressesAndAdvertisedOnesAreRead() {
        List<ListenerConfig> listeners =
                read(
                        Map.of(
                                "listeners", "INSIDE://[::1]:9092,OUTSIDE://0.0.0.0:9093",
                                "advertised.listeners", "OUTSIDE://kafka.example:443",
                                "listener.security.protocol.map",
                                        "INSIDE:PLAINTEXT,OUTSIDE:PLAINTEXT"));

        assertThat(listeners)
                .containsExactly(
                        new ListenerConfig("INSIDE", new Endpoint("::1", 9092), Optional.empty()),
                        new ListenerConfig(
                                "OUTSIDE",
                                new Endpoint("0.0.0.0", 9093),
                                Optional.of(new Endpoint("kafka.example", 443))));
    }

    @Test
    void listenerWithTlsOrLoginIsRefusedByName() {
        for (String protocol : List.of("SSL", "SASL_PLAINTEXT", "SASL_SSL")) {
            assertThatThrownBy(() -> read(Map.of("listeners", protocol + "://:9092")))
                    .hasMessageContaining(protocol)
                    .hasMessageContaining("no " + protocol + " yet");
        }
    }

    @Test
    void brokenListenersAreRefusedWithTheReason() {
        assertRefused("listeners", "localhost:9092", "NAME://host:port");
        assertRefused("listeners", "PLAINTEXT://localhost", "no port");
        assertRefused("listeners", "PLAINTEXT://:99999", "no port");
        assertRefused("listeners", "PLAINTEXT://:1,PLAINTEXT://:2", "each listener name once");
        assertRefused("listeners", "OTHER://:9092", "OTHER:PLAINTEXT");
        assertRefused("advertised.listeners", "PLAINTEXT://0.0.0.0:9092", "clients can connect to");
        assertRefused("advertised.listeners", "OTHER://host:9092", "listeners has too");
    }

    private static void assertRefused(String key, String value, String part) {
        assertThatThrownBy(() -> read(Map.of(key, value))).as(value).hasMessageContaining(part);
    }

    private static List<ListenerConfig> read(Map<String, String> settings) {
        return ListenerConfigs.read(
                new ConfigResolver(BrokerLayers.of(settings), Surroundings.of(1, 2)).broker());
    }
}
