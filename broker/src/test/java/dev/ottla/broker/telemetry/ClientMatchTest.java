package dev.ottla.broker.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.wire.Uuid;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ClientMatchTest {
    private static final String MANY_WAYS = "client_id=.*a.*a.*a.*a.*a.*a.*a.*b";

    @Test
    @Timeout(20)
    void nameMadeForAPatternCostsNoMoreThanOthers() {
        ClientMatch match = ClientMatch.parse(List.of(MANY_WAYS)).orElseThrow();

        assertThat(match.matches(client("a".repeat(1024)))).isFalse();
        assertThat(match.matches(client("a".repeat(1023) + "b"))).isTrue();
    }

    @Test
    void namesBeyondTheBoundMatchNoPattern() {
        assertThat(ClientMatch.parse(List.of("client_id=.*")).orElseThrow().matches(client("x")))
                .isTrue();
        assertThat(
                        ClientMatch.parse(List.of("client_id=.*"))
                                .orElseThrow()
                                .matches(client("x".repeat(1025))))
                .isFalse();
        assertThat(ClientMatch.parse(List.of()).orElseThrow().matches(client("x".repeat(1025))))
                .isTrue();
    }

    @Test
    void patternsOutsideRe2AreNotRead() {
        assertThat(ClientMatch.parse(List.of("client_id=(a)\\1"))).isEmpty();
    }

    private static TelemetryClient client(String id) {
        return new TelemetryClient(new Uuid(1, 2), id, "lib", "1.0", "127.0.0.1", 4000);
    }
}
