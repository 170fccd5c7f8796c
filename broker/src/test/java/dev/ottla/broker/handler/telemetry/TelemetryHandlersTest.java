package dev.ottla.broker.handler.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.request.Asked;
import dev.ottla.broker.telemetry.ClientTelemetry;
import dev.ottla.broker.telemetry.PushedMetrics;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.GetTelemetrySubscriptionsRequest;
import dev.ottla.wire.message.GetTelemetrySubscriptionsResponse;
import dev.ottla.wire.message.PushTelemetryRequest;
import dev.ottla.wire.message.PushTelemetryResponse;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class TelemetryHandlersTest {
    private final ClientTelemetry telemetry =
            new ClientTelemetry(
                    () -> new Uuid(3, 300),
                    ClientTelemetry.Limits.of(2000),
                    new BrokerMetrics().telemetry());
    private final GetTelemetrySubscriptionsHandler subscriptions =
            new GetTelemetrySubscriptionsHandler(telemetry, Runnable::run);
    private final PushTelemetryHandler pushes =
            new PushTelemetryHandler(
                    telemetry, new PushedMetrics(1_000), Runnable::run, Runnable::run);

    @Test
    void clientIsToldHowToPush() {
        GetTelemetrySubscriptionsResponse answer = ask(Uuid.ZERO);

        assertThat(answer.errorCode()).isEqualTo(ErrorCode.NONE.code());
        assertThat(answer.clientInstanceId()).isEqualTo(new Uuid(3, 300));
        assertThat(answer.acceptedCompressionTypes())
                .containsExactly((byte) 4, (byte) 3, (byte) 1, (byte) 2);
        assertThat(answer.telemetryMaxBytes()).isEqualTo(2000);
        assertThat(answer.deltaTemporality()).isTrue();
    }

    @Test
    void throttledClientIsToldNothingElse() {
        Uuid id = ask(Uuid.ZERO).clientInstanceId();

        GetTelemetrySubscriptionsResponse answer = ask(id);

        assertThat(answer)
                .isEqualTo(
                        GetTelemetrySubscriptionsResponse.builder()
                                .errorCode(ErrorCode.THROTTLING_QUOTA_EXCEEDED.code())
                                .build());
    }

    @Test
    void pushIsKept() {
        GetTelemetrySubscriptionsResponse wanted = ask(Uuid.ZERO);

        PushTelemetryResponse answer = push(wanted, (byte) 0, new byte[] {8, 1, 0x12, 0});

        assertThat(answer.errorCode()).isEqualTo(ErrorCode.NONE.code());
        assertThat(telemetry.lastPush(wanted.clientInstanceId()))
                .hasValueSatisfying(kept -> {
                    assertThat(kept.metrics().remaining()).isEqualTo(4);
                    assertThat(kept.client().clientId()).isEqualTo("a-client");
                    assertThat(kept.client().softwareName()).isEqualTo("unknown");
                });
    }

    @Test
    void pushThatCannotBeReadIsRefusedAndNotKept() {
        GetTelemetrySubscriptionsResponse wanted = ask(Uuid.ZERO);

        PushTelemetryResponse answer = push(wanted, (byte) 4, new byte[] {1, 2, 3});

        assertThat(answer.errorCode()).isEqualTo(ErrorCode.INVALID_RECORD.code());
        assertThat(telemetry.lastPush(wanted.clientInstanceId())).isEmpty();
    }

    private PushTelemetryResponse push(
            GetTelemetrySubscriptionsResponse wanted, byte codec, byte[] metrics) {
        return Asked.ask(
                pushes,
                0,
                PushTelemetryRequest.builder()
                        .clientInstanceId(wanted.clientInstanceId())
                        .subscriptionId(wanted.subscriptionId())
                        .compressionType(codec)
                        .metrics(ByteBuffer.wrap(metrics))
                        .build(),
                PushTelemetryResponse.class);
    }

    private GetTelemetrySubscriptionsResponse ask(Uuid id) {
        return Asked.ask(
                subscriptions,
                0,
                GetTelemetrySubscriptionsRequest.builder().clientInstanceId(id).build(),
                GetTelemetrySubscriptionsResponse.class);
    }
}
