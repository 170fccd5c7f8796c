package dev.ottla.broker.handler;

import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.HandlerTable;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ApiVersionsRequest;
import dev.ottla.wire.message.ApiVersionsResponse;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// ApiVersions: what this broker can do, and which features the cluster has (KIP-35, KIP-511,
/// KIP-584, KIP-1242).
///
/// Answers INVALID_REQUEST when a client introduces itself with an impossible name,
/// REBOOTSTRAP_REQUIRED when it meant another cluster or broker.
public final class ApiVersionsHandler implements ApiHandler<ApiVersionsRequest> {
    /// KIP-511: letters, digits, dots and dashes, beginning and ending with a letter or digit.
    private static final Pattern SOFTWARE =
            Pattern.compile("[a-zA-Z0-9](?:[a-zA-Z0-9\\-.]*[a-zA-Z0-9])?");

    private static final short FIRST_WITH_SOFTWARE = 3;
    private static final short FIRST_WITH_ZERO_MINIMUM = 4;

    /// One feature of the cluster and the levels this broker can run; all inclusive.
    public record Feature(String name, short minSupported, short maxSupported, short finalized) {}

    /// What identifies the broker and the features in force.
    ///
    /// @param featuresEpoch offset of the metadata that the finalized levels come from
    public record Identity(
            String clusterId, int nodeId, long featuresEpoch, List<Feature> features) {
        public Identity {
            features = List.copyOf(features);
        }
    }

    private final Supplier<HandlerTable> table;
    private final Supplier<Identity> identity;

    /// @param table the table that this handler is in
    /// @param identity read for each request: features change at run time
    public ApiVersionsHandler(Supplier<HandlerTable> table, Supplier<Identity> identity) {
        this.table = table;
        this.identity = identity;
    }

    @Override
    public ApiKey api() {
        return ApiKey.API_VERSIONS;
    }

    @Override
    public void handle(RequestContext context, ApiVersionsRequest request, Responder responder) {
        if (context.version() >= FIRST_WITH_SOFTWARE) {
            if (!isValid(request)) {
                responder.respond(error(ErrorCode.INVALID_REQUEST));
                return;
            }
            context.connection()
                    .clientSoftware(request.clientSoftwareName(), request.clientSoftwareVersion());
        }
        if ((request.clusterId() == null) != (request.nodeId() < 0)) {
            responder.respond(error(ErrorCode.INVALID_REQUEST));
            return;
        }
        Identity self = identity.get();
        if (meansAnother(request, self)) {
            responder.respond(error(ErrorCode.REBOOTSTRAP_REQUIRED));
            return;
        }
        responder.respond(
                ApiVersionsResponse.builder()
                        .apiKeys(apis())
                        .supportedFeatures(supported(self, context.version()))
                        .finalizedFeatures(finalized(self))
                        .finalizedFeaturesEpoch(self.featuresEpoch())
                        .build());
    }

    private static boolean isValid(ApiVersionsRequest request) {
        return SOFTWARE.matcher(request.clientSoftwareName()).matches()
                && SOFTWARE.matcher(request.clientSoftwareVersion()).matches();
    }

    private static boolean meansAnother(ApiVersionsRequest request, Identity self) {
        boolean otherCluster =
                request.clusterId() != null && !request.clusterId().equals(self.clusterId());
        return otherCluster || (request.nodeId() >= 0 && request.nodeId() != self.nodeId());
    }

    private static ApiVersionsResponse error(ErrorCode error) {
        return ApiVersionsResponse.builder().errorCode(error.code()).build();
    }

    private List<ApiVersionsResponse.ApiVersion> apis() {
        return table.get().advertised().stream()
                .map(api ->
                        ApiVersionsResponse.ApiVersion.builder()
                                .apiKey(api.api().id())
                                .minVersion(api.oldest())
                                .maxVersion(api.latest())
                                .build())
                .toList();
    }

    /// Older clients take a minimum of 0 for a broken answer (KAFKA-17011), so they are not told of
    /// such features.
    private static List<ApiVersionsResponse.SupportedFeatureKey> supported(
            Identity self, short version) {
        return self.features().stream()
                .filter(feature -> feature.minSupported() > 0 || version >= FIRST_WITH_ZERO_MINIMUM)
                .map(feature ->
                        ApiVersionsResponse.SupportedFeatureKey.builder()
                                .name(feature.name())
                                .minVersion(feature.minSupported())
                                .maxVersion(feature.maxSupported())
                                .build())
                .toList();
    }

    private static List<ApiVersionsResponse.FinalizedFeatureKey> finalized(Identity self) {
        return self.features().stream()
                .filter(feature -> feature.finalized() > 0)
                .map(feature ->
                        ApiVersionsResponse.FinalizedFeatureKey.builder()
                                .name(feature.name())
                                .minVersionLevel(feature.finalized())
                                .maxVersionLevel(feature.finalized())
                                .build())
                .toList();
    }
}
