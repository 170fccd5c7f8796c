package dev.ottla.broker.handler.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.request.Asked;
import dev.ottla.broker.telemetry.ClientTelemetry;
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
    private final PushTelemetryHandler pushes = new PushTelemetryHandler(telemetry, Runnable::run);

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

        PushTelemetryResponse answer =
                Asked.ask(
                        pushes,
                        0,
                        PushTelemetryRequest.builder()
                                .clientInstanceId(wanted.clientInstanceId())
                                .subscriptionId(wanted.subscriptionId())
                                .compressionType((byte) 4)
                                .metrics(ByteBuffer.wrap(new byte[] {1, 2, 3}))
                                .build(),
                        PushTelemetryResponse.class);

        assertThat(answer.errorCode()).isEqualTo(ErrorCode.NONE.code());
        assertThat(telemetry.lastPush(wanted.clientInstanceId()))
                .hasValueSatisfying(kept -> {
                    assertThat(kept.metrics().remaining()).isEqualTo(3);
                    assertThat(kept.client().clientId()).isEqualTo("a-client");
                    assertThat(kept.client().softwareName()).isEqualTo("unknown");
                });
    }

    private GetTelemetrySubscriptionsResponse ask(Uuid id) {
        return Asked.ask(
                subscriptions,
                0,
                GetTelemetrySubscriptionsRequest.builder().clientInstanceId(id).build(),
                GetTelemetrySubscriptionsResponse.class);
    }
}
