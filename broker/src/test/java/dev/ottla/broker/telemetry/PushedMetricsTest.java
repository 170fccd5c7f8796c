package dev.ottla.broker.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import dev.ottla.record.Compression;
import dev.ottla.wire.ErrorCode;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.apache.kafka.shaded.io.opentelemetry.proto.metrics.v1.Gauge;
import org.apache.kafka.shaded.io.opentelemetry.proto.metrics.v1.Metric;
import org.apache.kafka.shaded.io.opentelemetry.proto.metrics.v1.MetricsData;
import org.apache.kafka.shaded.io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import org.apache.kafka.shaded.io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import org.apache.kafka.shaded.io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import org.junit.jupiter.api.Test;

/// Against what Kafka's own client would push.
final class PushedMetricsTest {
    private static final int MAX_BYTES = 100_000;

    private final PushedMetrics metrics = new PushedMetrics(MAX_BYTES);

    @Test
    void whatAClientPushesIsTaken() {
        assertThat(check(Compression.NONE, clientMetrics())).isEqualTo(ErrorCode.NONE);
        assertThat(check(Compression.ZSTD, Zstd.compress(clientMetrics())))
                .isEqualTo(ErrorCode.NONE);
        assertThat(check(Compression.NONE, new byte[0])).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void whatIsNotCompressedAsItSaysIsRefused() {
        assertThat(check(Compression.ZSTD, clientMetrics())).isEqualTo(ErrorCode.INVALID_RECORD);
        assertThat(check(Compression.GZIP, clientMetrics())).isEqualTo(ErrorCode.INVALID_RECORD);
    }

    @Test
    void whatIsNoMessageIsRefused() {
        byte[] fieldZero = {0, 1};
        byte[] group = {0x0b, 0x0c};
        byte[] varintWithoutEnd = {8, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1};
        byte[] longerThanThere = {0x0a, 5, 0x12, 1};
        byte[] innerLongerThanOuter = {0x0a, 2, 0x12, 4, 8, 1, 8, 1};
        for (byte[] bytes :
                new byte[][] {
                    fieldZero, group, varintWithoutEnd, longerThanThere, innerLongerThanOuter
                }) {
            assertThat(check(Compression.NONE, bytes)).isEqualTo(ErrorCode.INVALID_RECORD);
        }
    }

    @Test
    void unknownFieldsAreSteppedOver() {
        byte[] bytes = {
            (byte) 0xf8, 1, 5, (byte) 0xfd, 1, 1, 2, 3, 4, 0x79, 1, 2, 3, 4, 5, 6, 7, 8
        };

        assertThat(check(Compression.NONE, bytes)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void bombIsRefusedBeforeItUnpacks() {
        assertThat(check(Compression.ZSTD, Zstd.compress(new byte[200 << 20])))
                .isEqualTo(ErrorCode.TELEMETRY_TOO_LARGE);
    }

    @Test
    void damagedPushesAreTakenOrRefused() {
        long seed = Long.getLong("ottla.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        byte[] good = clientMetrics();
        for (int i = 0; i < 5_000; i++) {
            byte[] bad = good.clone();
            for (int damage = random.nextInt(1, 4); damage > 0; damage--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }

            assertThat(check(Compression.NONE, bad))
                    .as("-Dottla.seed=%d", seed)
                    .isIn(ErrorCode.NONE, ErrorCode.INVALID_RECORD);
        }
    }

    private ErrorCode check(Compression compression, byte[] pushed) {
        return metrics.check(compression, ByteBuffer.wrap(pushed));
    }

    static byte[] clientMetrics() {
        ScopeMetrics.Builder scope = ScopeMetrics.newBuilder().setSchemaUrl("s");
        for (int i = 0; i < 20; i++) {
            scope.addMetrics(
                    Metric.newBuilder()
                            .setName("org.apache.kafka.consumer.metric." + i)
                            .setGauge(
                                    Gauge.newBuilder()
                                            .addDataPoints(
                                                    NumberDataPoint.newBuilder()
                                                            .setTimeUnixNano(i)
                                                            .setAsDouble(i / 3.0))));
        }
        return MetricsData.newBuilder()
                .addResourceMetrics(ResourceMetrics.newBuilder().addScopeMetrics(scope))
                .build()
                .toByteArray();
    }
}
