package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.config.HostPort;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeerHostTest {
    @Test
    void whoJoinsOnThisMachineIsFoundOnThisMachine() {
        assertThat(PeerHost.towards(List.of(new HostPort("localhost", 9092))))
                .isEqualTo("localhost");
        assertThat(PeerHost.towards(List.of(new HostPort("127.0.0.1", 9092))))
                .isEqualTo("localhost");
    }

    @Test
    void aNameThatNobodyKnowsIsPassedOver() {
        assertThat(
                        PeerHost.towards(
                                List.of(
                                        new HostPort("no.such.host.invalid", 9092),
                                        new HostPort("localhost", 9092))))
                .isEqualTo("localhost");
    }
}
