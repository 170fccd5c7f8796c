package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.broker.network.RawClient;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ApiVersionsRequest;
import dev.ottla.wire.message.ApiVersionsResponse;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ApiVersionsOverSocketTest {
    private static TestBroker broker;

    @BeforeAll
    static void start() {
        broker = new TestBroker();
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void everyVersionIsAnswered() throws IOException {
        try (RawClient client = new RawClient(broker.address())) {
            for (int version = 0; version <= 5; version++) {
                client.send(introduction("probe", "1.0").build(), version, version);

                ApiVersionsResponse response =
                        (ApiVersionsResponse) client.receive(ApiKey.API_VERSIONS, version, version);

                assertThat(response.errorCode()).isZero();
                assertThat(response.apiKeys())
                        .anySatisfy(api -> {
                            assertThat(api.apiKey()).isEqualTo(ApiKey.API_VERSIONS.id());
                            assertThat(api.maxVersion()).isEqualTo((short) 5);
                        });
            }
        }
    }

    @Test
    void unknownVersionFallsBackToVersionZeroWithTheKnownOnes() throws IOException {
        byte[] versionNinetyNine = {0, 0, 0, 11, 0, 18, 0, 99, 0, 0, 0, 5, -1, -1, 0};
        try (RawClient client = new RawClient(broker.address())) {
            client.send(versionNinetyNine);

            ApiVersionsResponse response =
                    (ApiVersionsResponse) client.receive(ApiKey.API_VERSIONS, 0, 5);

            assertThat(response.errorCode()).isEqualTo(ErrorCode.UNSUPPORTED_VERSION.code());
            assertThat(response.apiKeys()).hasSize(1);
        }
    }

    @Test
    void impossibleSoftwareNameIsRefused() throws IOException {
        try (RawClient client = new RawClient(broker.address())) {
            client.send(introduction("-bad name-", "1").build(), 3, 1);

            ApiVersionsResponse response =
                    (ApiVersionsResponse) client.receive(ApiKey.API_VERSIONS, 3, 1);

            assertThat(response.errorCode()).isEqualTo(ErrorCode.INVALID_REQUEST.code());
        }
    }

    @Test
    void clientOfAnotherClusterIsSentBack() throws IOException {
        try (RawClient client = new RawClient(broker.address())) {
            client.send(introduction("probe", "1").clusterId("elsewhere").nodeId(1).build(), 5, 1);

            ApiVersionsResponse response =
                    (ApiVersionsResponse) client.receive(ApiKey.API_VERSIONS, 5, 1);

            assertThat(response.errorCode()).isEqualTo(ErrorCode.REBOOTSTRAP_REQUIRED.code());
        }
    }

    @Test
    void takenPortIsRefusedWithTheReason() {
        int port = broker.address().getPort();

        assertThatThrownBy(
                        () -> new TestBroker(Map.of("listeners", "PLAINTEXT://127.0.0.1:" + port)))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining(Integer.toString(port))
                .hasMessageContaining("--port");
    }

    @Test
    void takenDirectoryIsRefusedWithTheReason() {
        String data = broker.server().dataDirectories().getFirst().toString();

        assertThatThrownBy(() -> new TestBroker(Map.of("log.dirs", data)))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining(data)
                .hasMessageContaining("another process");
    }

    private static ApiVersionsRequest.Builder introduction(String name, String version) {
        return ApiVersionsRequest.builder().clientSoftwareName(name).clientSoftwareVersion(version);
    }
}
