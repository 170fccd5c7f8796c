package dev.ottla.chaos.load;

import dev.ottla.testkit.RawConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.requests.FetchRequest;

/// Consumers that ask a node for everything again and again, and take a little of the answers now
/// and then. Owned by one thread.
public final class SlowConsumers implements AutoCloseable {
    /// The last one in which partitions go by the names of their topics.
    private static final short FETCH_VERSION = 12;

    private static final int REQUESTS = 50;
    private static final int PARTITION_BYTES = 1 << 20;
    private static final int BYTES_AT_A_TIME = 512;
    private static final int WINDOW_BYTES = 8 << 10;

    private final List<RawConnection> connections = new ArrayList<>();
    private long taken;

    /// Connects and asks.
    public void add(InetSocketAddress to, List<TopicPartition> partitions) throws IOException {
        RawConnection connection = RawConnection.open(to, WINDOW_BYTES);
        connections.add(connection);
        Map<TopicPartition, FetchRequest.PartitionData> wanted = new HashMap<>();
        for (TopicPartition partition : partitions) {
            wanted.put(
                    partition,
                    new FetchRequest.PartitionData(
                            Uuid.ZERO_UUID, 0, 0, PARTITION_BYTES, java.util.Optional.empty()));
        }
        for (int i = 0; i < REQUESTS; i++) {
            connection.send(
                    FetchRequest.Builder.forConsumer(FETCH_VERSION, 100, 1, wanted)
                            .build(FETCH_VERSION));
        }
    }

    /// Each takes a few bytes. One whose node has gone takes none.
    public void takeSome() {
        for (RawConnection connection : connections) {
            taken += connection.read(BYTES_AT_A_TIME);
        }
    }

    /// Bytes of all of them.
    public long taken() {
        return taken;
    }

    public int count() {
        return connections.size();
    }

    @Override
    public void close() throws IOException {
        for (RawConnection connection : connections) {
            connection.close();
        }
    }
}
