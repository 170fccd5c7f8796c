package dev.ottla.bench.client;

import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.FindCoordinatorRequest;
import dev.ottla.wire.message.FindCoordinatorResponse;
import dev.ottla.wire.message.OffsetFetchRequest;
import dev.ottla.wire.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import dev.ottla.wire.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import dev.ottla.wire.message.OffsetFetchResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// Asks about groups. Owned by one thread.
public final class Groups {
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final WireClient client;

    public Groups(WireClient client) {
        this.client = client;
    }

    /// Returns once the coordinator of the group answers; a broker makes the topic behind it when
    /// it is first asked.
    public void untilCoordinated(String group, Topic topic)
            throws IOException, InterruptedException {
        while (!isCoordinated(group) || fetch(group, topic).errorCode() != 0) Thread.sleep(PAUSE);
    }

    /// The offset that the group committed in partition 0, or -1.
    public long committed(String group, Topic topic) throws IOException {
        var answer = fetch(group, topic);
        Topics.require(answer.errorCode(), "offsets of group " + group);
        return answer.topics().getFirst().partitions().getFirst().committedOffset();
    }

    private boolean isCoordinated(String group) throws IOException {
        FindCoordinatorResponse response =
                (FindCoordinatorResponse)
                        client.ask(
                                FindCoordinatorRequest.builder()
                                        .coordinatorKeys(List.of(group))
                                        .build());
        return response.coordinators().getFirst().errorCode() == ErrorCode.NONE.code();
    }

    private OffsetFetchResponse.OffsetFetchResponseGroup fetch(String group, Topic topic)
            throws IOException {
        OffsetFetchRequestGroup asked =
                OffsetFetchRequestGroup.builder()
                        .groupId(group)
                        .topics(
                                List.of(
                                        OffsetFetchRequestTopics.builder()
                                                .name(topic.name())
                                                .topicId(topic.id())
                                                .partitionIndexes(List.of(0))
                                                .build()))
                        .build();
        OffsetFetchResponse response =
                (OffsetFetchResponse)
                        client.ask(OffsetFetchRequest.builder().groups(List.of(asked)).build());
        return response.groups().getFirst();
    }
}
