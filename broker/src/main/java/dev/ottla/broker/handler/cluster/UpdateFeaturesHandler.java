package dev.ottla.broker.handler.cluster;

import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.UpdateFeature;
import dev.ottla.metadata.controller.UpdateFeature.Direction;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.UpdateFeaturesRequest;
import dev.ottla.wire.message.UpdateFeaturesRequest.FeatureUpdateKey;
import dev.ottla.wire.message.UpdateFeaturesResponse;
import dev.ottla.wire.message.UpdateFeaturesResponse.UpdatableFeatureResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// UpdateFeatures: moves features to other levels, all of them or none (KIP-584, KIP-778). So
/// errors stand at the top; versions 0 and 1 list the features that were updated besides.
///
/// Errors: INVALID_UPDATE_VERSION, NOT_CONTROLLER.
public final class UpdateFeaturesHandler implements ApiHandler<UpdateFeaturesRequest> {
    private static final short FIRST_WITH_UPGRADE_TYPE = 1;

    private final MetadataService metadata;

    public UpdateFeaturesHandler(MetadataService metadata) {
        this.metadata = metadata;
    }

    @Override
    public ApiKey api() {
        return ApiKey.UPDATE_FEATURES;
    }

    @Override
    public void handle(RequestContext context, UpdateFeaturesRequest request, Responder responder) {
        List<UpdateFeature> updates = new ArrayList<>();
        for (FeatureUpdateKey update : request.featureUpdates()) {
            Optional<Direction> direction = direction(context.version(), update);
            if (direction.isEmpty()) {
                responder.respond(
                        refuse(
                                ApiError.of(
                                        ErrorCode.INVALID_UPDATE_VERSION,
                                        "Upgrade type %d of feature %s does not exist: 1 is an"
                                                + " upgrade, 2 a safe and 3 an unsafe downgrade.",
                                        update.upgradeType(),
                                        update.feature())));
                return;
            }
            updates.add(
                    new UpdateFeature(update.feature(), update.maxVersionLevel(), direction.get()));
        }
        Failures.whenEnded(
                metadata.submit(
                        controller -> controller.updateFeatures(updates, request.validateOnly())),
                error -> responder.respond(error.isNone() ? done(request) : refuse(error)),
                error -> responder.respond(refuse(error)),
                responder);
    }

    private static Optional<Direction> direction(short version, FeatureUpdateKey update) {
        if (version < FIRST_WITH_UPGRADE_TYPE) {
            return Optional.of(
                    update.allowDowngrade() ? Direction.SAFE_DOWNGRADE : Direction.UPGRADE);
        }
        return switch (update.upgradeType()) {
            case 1 -> Optional.of(Direction.UPGRADE);
            case 2 -> Optional.of(Direction.SAFE_DOWNGRADE);
            case 3 -> Optional.of(Direction.UNSAFE_DOWNGRADE);
            default -> Optional.empty();
        };
    }

    private static UpdateFeaturesResponse done(UpdateFeaturesRequest request) {
        return UpdateFeaturesResponse.builder()
                .results(
                        request.featureUpdates().stream()
                                .map(update ->
                                        UpdatableFeatureResult.builder()
                                                .feature(update.feature())
                                                .errorMessage(null)
                                                .build())
                                .toList())
                .errorMessage(null)
                .build();
    }

    private static UpdateFeaturesResponse refuse(ApiError error) {
        return UpdateFeaturesResponse.builder()
                .errorCode(error.code().code())
                .errorMessage("No feature was updated. " + error.message())
                .build();
    }
}
