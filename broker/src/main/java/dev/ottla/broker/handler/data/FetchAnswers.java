package dev.ottla.broker.handler.data;

import dev.ottla.broker.fetch.FetchPart;
import dev.ottla.broker.partition.PartitionError;
import dev.ottla.wire.message.FetchResponse;
import java.util.List;
import java.util.Optional;

/// Puts what was read of a partition into the form of the answer.
final class FetchAnswers {
    private FetchAnswers() {}

    static FetchResponse.PartitionData partition(
            FetchPart part, LeaderHints<FetchResponse.NodeEndpoint> hints) {
        FetchResponse.PartitionData.Builder builder =
                FetchResponse.PartitionData.builder()
                        .partitionIndex(part.target().partition())
                        .highWatermark(part.highWatermark())
                        .lastStableOffset(part.lastStableOffset())
                        .logStartOffset(part.logStartOffset())
                        .abortedTransactions(null)
                        .preferredReadReplica(part.preferredReplica())
                        .records(part.records());
        part.abortedTransactions()
                .ifPresent(aborted -> builder.abortedTransactions(aborted(aborted)));
        part.divergingEpoch()
                .ifPresent(diverging ->
                        builder.divergingEpoch(
                                FetchResponse.EpochEndOffset.builder()
                                        .epoch(diverging.leaderEpoch())
                                        .endOffset(diverging.endOffset())
                                        .build()));
        Optional<PartitionError> error = part.error();
        if (error.isPresent()) {
            builder.errorCode(error.get().code().code());
            hints.leader(part.key(), error.get().code())
                    .ifPresent(leader ->
                            builder.currentLeader(
                                    FetchResponse.LeaderIdAndEpoch.builder()
                                            .leaderId(leader.id())
                                            .leaderEpoch(leader.epoch())
                                            .build()));
        }
        return builder.build();
    }

    private static List<FetchResponse.AbortedTransaction> aborted(
            List<dev.ottla.log.segment.AbortedTransaction> transactions) {
        return transactions.stream()
                .map(aborted ->
                        FetchResponse.AbortedTransaction.builder()
                                .producerId(aborted.producerId())
                                .firstOffset(aborted.firstOffset())
                                .build())
                .toList();
    }
}
