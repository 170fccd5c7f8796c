package dev.ottla.bench.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// The producers of a load, joined to a loop. Owned by the loop's thread.
public final class Producers {
    private static final long SEED = 20_26;

    private final ProducerPlan plan;
    private final LatencyLog latency = new LatencyLog();
    private final List<ProduceConversation> conversations = new ArrayList<>();
    private final Pace pace;

    /// Connects them; they send once the loop runs.
    public Producers(LoadLoop loop, ProducerPlan plan) throws IOException {
        this.plan = plan;
        RandomGenerator random = new SplittableRandom(SEED);
        List<Pace.Turn> turns = new ArrayList<>();
        for (int stream = 0; stream < plan.connections(); stream++) {
            int[] partitions = partitionsOf(stream);
            ProduceConversation conversation =
                    new ProduceConversation(
                            new PreparedProduce(
                                    plan.topic(), plan.shape(), plan.acks(), stream, random),
                            plan,
                            partitions,
                            share(stream),
                            latency);
            conversations.add(conversation);
            turns.add(new Pace.Turn(loop.connect(partitions[0], conversation), conversation));
        }
        pace = new Pace(plan.batchesPerSecond(), plan.batchCount(), turns);
        if (plan.batchesPerSecond() > 0) loop.follow(pace);
    }

    /// Whether all that is to be sent was acknowledged.
    public boolean isDone() {
        for (ProduceConversation conversation : conversations) {
            if (!conversation.isDone()) return false;
        }
        return true;
    }

    /// Sends nothing more; what is under way is waited for.
    public void halt() {
        conversations.forEach(ProduceConversation::halt);
    }

    /// When a batch is meant to leave, counted from 0 over all connections; for paced loads.
    public long intendedNs(long batchNumber) {
        return pace.intendedNs(batchNumber);
    }

    public long acknowledgedBatches() {
        long sum = 0;
        for (ProduceConversation conversation : conversations) sum += conversation.acknowledged();
        return sum;
    }

    public LatencyLog latency() {
        return latency;
    }

    private int[] partitionsOf(int stream) {
        int partitions = plan.topic().partitions();
        if (plan.connections() >= partitions) return new int[] {stream % partitions};
        return IntStream.range(0, partitions)
                .filter(partition -> partition % plan.connections() == stream)
                .toArray();
    }

    /// What one of the connections sends of the whole; paces deal in the same turns.
    private long share(int stream) {
        long even = plan.batchCount() / plan.connections();
        return even + (stream < plan.batchCount() % plan.connections() ? 1 : 0);
    }
}
