package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.address.AdvertisedAddresses;
import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.broker.request.FakeConnection;
import dev.ottla.metadata.BrokerEndpoint;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReachedAddressTest {
    private final TestMetadata metadata = new TestMetadata(2);
    private final long epoch = metadata.image().broker(1).orElseThrow().epoch();
    private final ReachedAddress reached =
            new ReachedAddress(
                    1,
                    epoch,
                    metadata::image,
                    new AdvertisedAddresses(Optional.empty()),
                    metadata.service());

    private void register(String host) {
        var _ =
                metadata.service()
                        .submit(controller ->
                                controller.changeEndpoints(
                                        1,
                                        epoch,
                                        List.of(
                                                new BrokerEndpoint(
                                                        "PLAINTEXT", host, 9092, (short) 0))))
                        .join();
    }

    private String host() {
        return metadata.image().broker(1).orElseThrow().endpoints().getFirst().host();
    }

    @Test
    void aNodeThatCountedAsLocalIsWhereOthersReachedIt() throws UnknownHostException {
        register("localhost");

        reached.by(new FakeConnection(InetAddress.getByName("192.0.2.7")));

        assertThat(host()).isEqualTo("192.0.2.7");
    }

    @Test
    void whoComesFromTheSameMachineSaysNothing() {
        register("localhost");

        reached.by(new FakeConnection());

        assertThat(host()).isEqualTo("localhost");
    }

    @Test
    void anAddressThatIsKnownStays() throws UnknownHostException {
        register("node1.example");

        reached.by(new FakeConnection(InetAddress.getByName("192.0.2.7")));

        assertThat(host()).isEqualTo("node1.example");
    }
}
