package dev.ottla.group.offset;

import dev.ottla.wire.ErrorCode;
import java.util.List;

/// OffsetDelete in the coordinator's own types.
public final class OffsetDelete {
    private OffsetDelete() {}

    public record Request(String groupId, List<Topic> topics) {
        public Request {
            topics = List.copyOf(topics);
        }
    }

    public record Topic(String name, List<Integer> partitions) {
        public Topic {
            partitions = List.copyOf(partitions);
        }
    }

    public record Response(List<TopicResult> topics) {
        public Response {
            topics = List.copyOf(topics);
        }
    }

    public record TopicResult(String name, List<PartitionResult> partitions) {
        public TopicResult {
            partitions = List.copyOf(partitions);
        }
    }

    public record PartitionResult(int partition, ErrorCode error) {}
}
