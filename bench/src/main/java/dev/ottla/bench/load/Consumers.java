package dev.ottla.bench.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// The consumers of a load, joined to a loop. Owned by the loop's thread.
public final class Consumers {
    private final List<FetchConversation> conversations = new ArrayList<>();

    /// Connects them; they fetch once the loop runs. All give to the same sink.
    public Consumers(LoadLoop loop, ConsumerPlan plan, BatchSink sink) throws IOException {
        int partitions = plan.topic().partitions();
        int stride = Math.min(plan.connections(), partitions);
        for (int i = 0; i < plan.connections(); i++) {
            int first = i % partitions;
            int[] own =
                    plan.connections() >= partitions
                            ? new int[] {first}
                            : IntStream.range(0, partitions)
                                    .filter(partition -> partition % stride == first)
                                    .toArray();
            FetchConversation conversation = new FetchConversation(plan, own, stride, sink);
            conversations.add(conversation);
            loop.connect(first, conversation);
        }
    }

    /// Records that they have seen, all together.
    public long consumedRecords() {
        long sum = 0;
        for (FetchConversation conversation : conversations) sum += conversation.consumed();
        return sum;
    }

    /// Bytes that the broker sent.
    public long answerBytes() {
        long sum = 0;
        for (FetchConversation conversation : conversations) sum += conversation.bytes();
        return sum;
    }
}
