package dev.ottla.broker.controlling;

import dev.ottla.metadata.codec.TaggedUuids;
import dev.ottla.metadata.liveness.BrokerIncarnation;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.BrokerHeartbeatRequest;
import dev.ottla.wire.message.BrokerHeartbeatResponse;
import java.util.List;
import java.util.Optional;

/// Heartbeats on the wire, both ways (KIP-631, KIP-858, KIP-1066). Full directories travel in a
/// tagged field that Kafka does not have.
public final class HeartbeatMessages {
    private HeartbeatMessages() {}

    static BrokerHeartbeatRequest request(SignOfLife sign) {
        return BrokerHeartbeatRequest.builder()
                .brokerId(sign.broker().id())
                .brokerEpoch(sign.broker().epoch())
                .currentMetadataOffset(sign.metadataOffset())
                .wantFence(sign.wantsFence())
                .wantShutDown(sign.wantsShutdown())
                .offlineLogDirs(sign.offlineDirectories())
                .cordonedLogDirs(sign.cordonedDirectories().orElse(null))
                .unknownTaggedFields(
                        sign.fullDirectories().isEmpty()
                                ? List.of()
                                : List.of(TaggedUuids.write(sign.fullDirectories())))
                .build();
    }

    public static SignOfLife read(BrokerHeartbeatRequest request) {
        return new SignOfLife(
                new BrokerIncarnation(request.brokerId(), request.brokerEpoch()),
                request.currentMetadataOffset(),
                request.wantFence(),
                request.wantShutDown(),
                request.offlineLogDirs(),
                TaggedUuids.read(request.unknownTaggedFields()).orElse(List.of()),
                Optional.ofNullable(request.cordonedLogDirs()));
    }

    public static BrokerHeartbeatResponse response(LifeAnswer answer) {
        return BrokerHeartbeatResponse.builder()
                .errorCode(answer.error().code())
                .isCaughtUp(answer.caughtUp())
                .isFenced(answer.fenced())
                .shouldShutDown(answer.mayStop())
                .build();
    }

    static LifeAnswer read(BrokerHeartbeatResponse response) {
        return new LifeAnswer(
                ErrorCode.forCode(response.errorCode()).orElse(ErrorCode.UNKNOWN_SERVER_ERROR),
                response.isCaughtUp(),
                response.isFenced(),
                response.shouldShutDown());
    }
}
