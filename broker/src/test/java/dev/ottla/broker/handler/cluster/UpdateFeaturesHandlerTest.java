package dev.ottla.broker.handler.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.broker.request.Asked;
import dev.ottla.metadata.Features;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.UpdateFeaturesRequest;
import dev.ottla.wire.message.UpdateFeaturesRequest.FeatureUpdateKey;
import dev.ottla.wire.message.UpdateFeaturesResponse;
import dev.ottla.wire.message.UpdateFeaturesResponse.UpdatableFeatureResult;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UpdateFeaturesHandlerTest {
    private static final byte UPGRADE = 1;
    private static final byte SAFE_DOWNGRADE = 2;

    private final TestMetadata metadata = new TestMetadata(1);
    private final UpdateFeaturesHandler handler = new UpdateFeaturesHandler(metadata.service());

    @Test
    void versionZeroAllowsADowngradeWithItsFlag() {
        FeatureUpdateKey update =
                FeatureUpdateKey.builder()
                        .feature(Features.GROUP_VERSION)
                        .maxVersionLevel((short) 0)
                        .build();

        UpdateFeaturesResponse refused = ask(0, update, false);
        assertThat(refused.errorCode()).isEqualTo(ErrorCode.INVALID_UPDATE_VERSION.code());
        assertThat(refused.errorMessage()).contains(Features.GROUP_VERSION);
        assertThat(refused.results()).isEmpty();

        UpdateFeaturesResponse done =
                ask(0, update.toBuilder().allowDowngrade(true).build(), false);
        assertThat(done.errorCode()).isZero();
        assertThat(done.results())
                .containsExactly(
                        UpdatableFeatureResult.builder()
                                .feature(Features.GROUP_VERSION)
                                .errorMessage(null)
                                .build());
        assertThat(level()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void laterVersionsSayTheDirection(int version) {
        assertThat(ask(version, update(0, UPGRADE), false).errorCode())
                .isEqualTo(ErrorCode.INVALID_UPDATE_VERSION.code());
        assertThat(ask(version, update(0, (byte) 9), false).errorCode())
                .isEqualTo(ErrorCode.INVALID_UPDATE_VERSION.code());

        UpdateFeaturesResponse done = ask(version, update(0, SAFE_DOWNGRADE), false);

        assertThat(done.errorCode()).isZero();
        assertThat(done.errorMessage()).isNull();
        assertThat(done.results()).hasSize(version == 1 ? 1 : 0);
        assertThat(level()).isZero();
    }

    @Test
    void validationChangesNothing() {
        assertThat(ask(2, update(0, SAFE_DOWNGRADE), true).errorCode()).isZero();

        assertThat(level()).isEqualTo((short) 1);
    }

    private short level() {
        return metadata.image().featureLevel(Features.GROUP_VERSION);
    }

    private static FeatureUpdateKey update(int level, byte type) {
        return FeatureUpdateKey.builder()
                .feature(Features.GROUP_VERSION)
                .maxVersionLevel((short) level)
                .upgradeType(type)
                .build();
    }

    private UpdateFeaturesResponse ask(int version, FeatureUpdateKey update, boolean validateOnly) {
        return Asked.ask(
                handler,
                version,
                UpdateFeaturesRequest.builder()
                        .featureUpdates(List.of(update))
                        .validateOnly(validateOnly)
                        .build(),
                UpdateFeaturesResponse.class);
    }
}
