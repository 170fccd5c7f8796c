package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ottla.testkit.Await;
import dev.ottla.testkit.BrokerCommand;
import dev.ottla.testkit.BrokerProcess;
import dev.ottla.testkit.RawConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What no client sends: a closed connection or an error, other clients unharmed, memory bounded.
/// While each case runs, a well-behaved client writes without a break and loses nothing.
@Order(3)
class HostileInputTest {
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(10);
    private static final long MAX_RESIDENT_BYTES = 900L << 20;

    private static BrokerProcess broker;

    private Clients clients;
    private Load innocent;
    private String topic;

    @BeforeAll
    static void startBroker() {
        broker =
                BrokerProcess.start(
                        BrokerProcess.Options.of("group.initial.rebalance.delay.ms=0")
                                .withJvm("-Xmx256m"));
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void startInnocent() {
        clients = new Clients(broker.bootstrap());
        topic = clients.topic(1);
        innocent = new Load(broker.bootstrap(), topic, 1);
        awaitProgress();
    }

    @AfterEach
    void innocentIsUnharmed() {
        awaitProgress();
        innocent.stop();
        assertThat(innocent.failed()).isZero();
        assertThat(broker.isAlive()).isTrue();
        assertThat(broker.residentBytes()).isLessThan(MAX_RESIDENT_BYTES);
        clients.close();
    }

    private void awaitProgress() {
        long target = innocent.acknowledged() + 100;
        Await.until("the other client goes on", () -> innocent.acknowledged() >= target);
    }

    static Stream<Arguments> brokenFrames() {
        int client = 7;
        byte[] noId = shorts(-1);
        byte[] endless = {0, -1, -1, -1, -1, -1, -1, -1, -1, -1};
        return Stream.of(
                Arguments.of("the longest frame", frame(Integer.MAX_VALUE, new byte[0])),
                Arguments.of("a frame beyond the limit", frame(200 << 20, new byte[0])),
                Arguments.of("length -1", frame(-1, new byte[100])),
                Arguments.of("the most negative length", frame(Integer.MIN_VALUE, new byte[100])),
                Arguments.of("an empty frame", frame(0, new byte[0])),
                Arguments.of("one byte", frame(1, new byte[1])),
                Arguments.of("half a header", frame(4, header(3, 12))),
                Arguments.of("an unknown API", frame(10, concat(header(999, 0), new byte[6]))),
                Arguments.of("a negative API", frame(10, concat(header(-1, 0), new byte[6]))),
                Arguments.of(
                        "an API of controllers", frame(10, concat(header(52, 0), new byte[6]))),
                Arguments.of("an unknown version", frame(10, concat(header(3, 99), new byte[6]))),
                Arguments.of(
                        "two thousand million topics",
                        frame(
                                14,
                                concat(header(3, 1), ints(client), noId, ints(Integer.MAX_VALUE)))),
                Arguments.of(
                        "a client id longer than the frame",
                        frame(10, concat(header(3, 1), ints(client), shorts(30_000)))),
                Arguments.of(
                        "a topic longer than the frame",
                        frame(
                                16,
                                concat(header(3, 1), ints(client), noId, ints(1), shorts(30_000)))),
                Arguments.of(
                        "an endless varint",
                        frame(20, concat(header(3, 12), ints(client), noId, endless))),
                Arguments.of("HTTP", "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)),
                Arguments.of("TLS", new byte[] {22, 3, 1, 2, 0, 1, 0, 1, -4, 3, 3}));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("brokenFrames")
    void brokenFramesCloseTheConnection(String what, byte[] bytes) throws IOException {
        try (RawConnection connection = RawConnection.open(broker.address())) {
            connection.write(bytes);
            assertThat(connection.isClosedWithin(CLOSED_WITHIN)).as(what).isTrue();
        }
    }

    @Test
    void unknownVersionOfApiVersionsIsAnsweredInTheOldestOne() throws IOException {
        try (RawConnection connection = RawConnection.open(broker.address())) {
            connection.write(frame(11, concat(header(18, 99), ints(42), shorts(-1), new byte[1])));

            ByteBuffer answer = ByteBuffer.wrap(connection.readFrame());
            assertThat(answer.getInt()).isEqualTo(42);
            assertThat(answer.getShort()).isEqualTo((short) 35);
        }
    }

    @Test
    void randomBytesDoNoHarm() throws IOException {
        Random random = new Random(20_261_129);
        for (int i = 0; i < 300; i++) {
            byte[] bytes = new byte[8 + random.nextInt(300)];
            random.nextBytes(bytes);
            if (i % 2 == 0) {
                // With a right length and an API that exists, so that the body is looked at.
                ByteBuffer.wrap(bytes)
                        .putInt(bytes.length - 4)
                        .putShort((short) random.nextInt(70))
                        .putShort((short) random.nextInt(5));
            }
            try (RawConnection connection = RawConnection.open(broker.address())) {
                connection.write(bytes);
            }
        }
    }

    @Test
    void halfRequestsAndSlowSendersHoldUpNobody() throws IOException {
        List<RawConnection> half = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                RawConnection connection = RawConnection.open(broker.address());
                half.add(connection);
                connection.write(frame(1_000, header(0, 9)));
            }
            try (RawConnection slow = RawConnection.open(broker.address())) {
                byte[] request = frame(10, concat(header(18, 0), ints(5), shorts(-1)));
                for (byte one : request) {
                    slow.write(new byte[] {one});
                    awaitProgress();
                }
                assertThat(ByteBuffer.wrap(slow.readFrame()).getInt()).isEqualTo(5);
            }
        } finally {
            for (RawConnection connection : half) {
                connection.close();
            }
        }
    }

    @Test
    void claimsOfLargeFramesTakeNoMemory() throws IOException {
        assumeTrue(BrokerCommand.isOttla(), "Apache Kafka takes the memory that a frame claims");
        List<RawConnection> claims = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                RawConnection connection = RawConnection.open(broker.address());
                claims.add(connection);
                connection.write(frame(90 << 20, concat(header(0, 9), new byte[1_000])));
            }
            awaitProgress();
            assertThat(broker.residentBytes()).isLessThan(MAX_RESIDENT_BYTES);
        } finally {
            for (RawConnection connection : claims) {
                connection.close();
            }
        }
    }

    @Test
    void thousandsOfConnectsAreServed() throws IOException {
        List<RawConnection> idle = new ArrayList<>();
        try {
            for (int i = 0; i < 2_000; i++) {
                idle.add(RawConnection.open(broker.address()));
            }
            awaitProgress();
            ApiVersionsResponse first = idle.getFirst().apiVersions();
            ApiVersionsResponse last = idle.getLast().apiVersions();
            assertThat(first.data().errorCode()).isZero();
            assertThat(last.data().errorCode()).isZero();
        } finally {
            for (RawConnection connection : idle) {
                connection.close();
            }
        }
        for (int i = 0; i < 500; i++) {
            RawConnection.open(broker.address()).close();
        }
    }

    @Test
    void clientThatReadsNoAnswersIsStoppedOrWaitedFor() throws IOException {
        MetadataRequest request =
                new MetadataRequest.Builder(new MetadataRequestData().setTopics(null))
                        .build(ApiKeys.METADATA.latestVersion());
        try (RawConnection deaf = RawConnection.open(broker.address())) {
            for (int i = 0; i < 500; i++) {
                deaf.send(request);
            }
            awaitProgress();
            for (int i = 0; i < 500; i++) {
                assertThat(deaf.receive(MetadataResponse.class).errors()).isEqualTo(Map.of());
            }
        }
    }

    private static byte[] header(int api, int version) {
        return shorts(api, version);
    }

    /// A frame with the length it claims and the bytes it has.
    private static byte[] frame(int length, byte[] bytes) {
        return concat(ints(length), bytes);
    }

    private static byte[] ints(int... values) {
        ByteBuffer buffer = ByteBuffer.allocate(4 * values.length);
        for (int value : values) {
            buffer.putInt(value);
        }
        return buffer.array();
    }

    private static byte[] shorts(int... values) {
        ByteBuffer buffer = ByteBuffer.allocate(2 * values.length);
        for (int value : values) {
            buffer.putShort((short) value);
        }
        return buffer.array();
    }

    private static byte[] concat(byte[]... parts) {
        ByteBuffer buffer = ByteBuffer.allocate(Stream.of(parts).mapToInt(p -> p.length).sum());
        for (byte[] part : parts) {
            buffer.put(part);
        }
        return buffer.array();
    }
}
