package dev.ottla.group.offset;

import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Optional;

/// OffsetFetch of one group in the coordinator's own types.
public final class OffsetFetch {
    private OffsetFetch() {}

    /// What to fetch of a group.
    ///
    /// @param memberId empty from a client that is no member or does not say
    /// @param memberEpoch −1 likewise
    /// @param topics empty for all topics that the group has offsets of
    /// @param requireStable answer UNSTABLE_OFFSET_COMMIT where a transaction is about to commit
    public record Request(
            String groupId,
            Optional<String> memberId,
            int memberEpoch,
            Optional<List<Topic>> topics,
            boolean requireStable) {
        public Request {
            topics = topics.map(List::copyOf);
        }
    }

    public record Topic(String name, Uuid topicId, List<Integer> partitions) {
        public Topic {
            partitions = List.copyOf(partitions);
        }
    }

    public record Response(List<TopicResult> topics) {
        public Response {
            topics = List.copyOf(topics);
        }
    }

    public record TopicResult(String name, Uuid topicId, List<PartitionResult> partitions) {
        public TopicResult {
            partitions = List.copyOf(partitions);
        }
    }

    /// The committed offset of a partition.
    ///
    /// @param offset −1 when nothing is committed
    /// @param leaderEpoch −1 if unknown
    public record PartitionResult(
            int partition, long offset, int leaderEpoch, String metadata, ErrorCode error) {
        static PartitionResult none(int partition, ErrorCode error) {
            return new PartitionResult(partition, -1, -1, "", error);
        }
    }
}
