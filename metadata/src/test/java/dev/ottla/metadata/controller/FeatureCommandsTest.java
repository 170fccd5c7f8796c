package dev.ottla.metadata.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.metadata.Features;
import dev.ottla.metadata.VersionRange;
import dev.ottla.metadata.controller.UpdateFeature.Direction;
import dev.ottla.wire.ErrorCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FeatureCommandsTest {
    private final TestCluster cluster = TestCluster.of(1);

    @Test
    void levelGoesDownAndUpWhenTheDirectionSaysSo() {
        assertThat(update(Features.GROUP_VERSION, 0, Direction.UPGRADE))
                .isEqualTo(ErrorCode.INVALID_UPDATE_VERSION);
        assertThat(update(Features.GROUP_VERSION, 0, Direction.SAFE_DOWNGRADE))
                .isEqualTo(ErrorCode.NONE);
        assertThat(cluster.image().featureLevel(Features.GROUP_VERSION)).isZero();

        assertThat(update(Features.GROUP_VERSION, 1, Direction.UNSAFE_DOWNGRADE))
                .isEqualTo(ErrorCode.INVALID_UPDATE_VERSION);
        assertThat(update(Features.GROUP_VERSION, 1, Direction.UPGRADE)).isEqualTo(ErrorCode.NONE);
        assertThat(cluster.image().featureLevel(Features.GROUP_VERSION)).isEqualTo((short) 1);
    }

    @Test
    void presentLevelChangesNothingInAnyDirection() {
        int records = cluster.records.size();

        for (Direction direction : Direction.values()) {
            assertThat(update(Features.GROUP_VERSION, 1, direction)).isEqualTo(ErrorCode.NONE);
        }

        assertThat(cluster.records).hasSize(records);
    }

    @Test
    void levelsThatNobodySupportsAreRefused() {
        assertThat(update("no.such.feature", 1, Direction.UPGRADE))
                .isEqualTo(ErrorCode.INVALID_UPDATE_VERSION);
        assertThat(update(Features.GROUP_VERSION, 2, Direction.UPGRADE))
                .isEqualTo(ErrorCode.INVALID_UPDATE_VERSION);
        assertThat(update(Features.GROUP_VERSION, -1, Direction.SAFE_DOWNGRADE))
                .isEqualTo(ErrorCode.INVALID_UPDATE_VERSION);
        assertThat(update(Features.METADATA_VERSION, 0, Direction.UNSAFE_DOWNGRADE))
                .isEqualTo(ErrorCode.INVALID_UPDATE_VERSION);
    }

    @Test
    void levelThatOneBrokerCannotRunIsRefused() {
        update(Features.TRANSACTION_VERSION, 0, Direction.SAFE_DOWNGRADE);
        Map<String, VersionRange> old = new HashMap<>(Features.supported());
        old.put(Features.TRANSACTION_VERSION, VersionRange.of(0, 1));
        RegisterBroker second = cluster.registration(2, true);
        cluster.register(
                new RegisterBroker(
                        2,
                        second.incarnationId(),
                        second.endpoints(),
                        old,
                        second.rack(),
                        second.directories(),
                        second.cordonedDirectories(),
                        true,
                        true));

        assertThat(update(Features.TRANSACTION_VERSION, 2, Direction.UPGRADE))
                .isEqualTo(ErrorCode.INVALID_UPDATE_VERSION);
        assertThat(update(Features.TRANSACTION_VERSION, 1, Direction.UPGRADE))
                .isEqualTo(ErrorCode.NONE);
    }

    @Test
    void oneBadUpdateStopsAll() {
        ApiError error =
                cluster.run(c ->
                        c.updateFeatures(
                                List.of(
                                        new UpdateFeature(
                                                Features.GROUP_VERSION,
                                                (short) 0,
                                                Direction.SAFE_DOWNGRADE),
                                        new UpdateFeature("zzz", (short) 1, Direction.UPGRADE)),
                                false));

        assertThat(error.code()).isEqualTo(ErrorCode.INVALID_UPDATE_VERSION);
        assertThat(error.message()).contains("zzz");
        assertThat(cluster.image().featureLevel(Features.GROUP_VERSION)).isEqualTo((short) 1);
    }

    @Test
    void validationAloneChangesNothing() {
        int records = cluster.records.size();

        ApiError error =
                cluster.run(c ->
                        c.updateFeatures(
                                List.of(
                                        new UpdateFeature(
                                                Features.GROUP_VERSION,
                                                (short) 0,
                                                Direction.SAFE_DOWNGRADE)),
                                true));

        assertThat(error.isNone()).isTrue();
        assertThat(cluster.records).hasSize(records);
    }

    @Test
    void eligibleReplicasAreForgottenWhenTheirFeatureIsSwitchedOff() {
        TestCluster three = TestCluster.of(3);
        three.createOn("t", 1, 2, 3);
        three.fence(1);
        three.fence(2);
        assertThat(three.partition("t", 0).elr()).isNotEmpty();

        three.run(c ->
                c.updateFeatures(
                        List.of(
                                new UpdateFeature(
                                        Features.ELR_VERSION, (short) 0, Direction.SAFE_DOWNGRADE)),
                        false));

        assertThat(three.partition("t", 0).elr()).isEmpty();
    }

    private ErrorCode update(String feature, int level, Direction direction) {
        return cluster.run(c ->
                        c.updateFeatures(
                                List.of(new UpdateFeature(feature, (short) level, direction)),
                                false))
                .code();
    }
}
