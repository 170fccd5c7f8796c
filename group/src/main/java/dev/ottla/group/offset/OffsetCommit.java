package dev.ottla.group.offset;

import dev.ottla.group.shell.MemberIdentity;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.OptionalLong;

/// OffsetCommit in the coordinator's own types. Every topic is named; the handler has looked up the
/// name of a topic that came as an id.
public final class OffsetCommit {
    private OffsetCommit() {}

    /// Offsets to commit for a group.
    ///
    /// @param generationIdOrMemberEpoch −1 from a client that is no member
    /// @param apiVersion version of the request: members of the consumer protocol need 9, and from
    ///   9 on an unknown group is GROUP_ID_NOT_FOUND
    /// @param retentionTimeMs how long the client wants the offsets kept (versions 2 to 4)
    public record Request(
            String groupId,
            MemberIdentity member,
            int generationIdOrMemberEpoch,
            int apiVersion,
            OptionalLong retentionTimeMs,
            List<Topic> topics) {
        public Request {
            topics = List.copyOf(topics);
        }
    }

    /// A topic and what to commit in it.
    ///
    /// @param topicId the zero id if unknown
    public record Topic(String name, Uuid topicId, List<Partition> partitions) {
        public Topic {
            partitions = List.copyOf(partitions);
        }
    }

    /// A partition and its offset.
    ///
    /// @param leaderEpoch −1 if unknown
    public record Partition(int partition, long offset, int leaderEpoch, String metadata) {}

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

    public record PartitionResult(int partition, ErrorCode error) {}
}
