package dev.ottla.broker.handler;

import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.MetadataBatch;
import dev.ottla.metadata.MetadataLog;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.CreateTopic;
import dev.ottla.metadata.controller.Machine;
import dev.ottla.metadata.controller.RegisterBroker;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.service.ControllerSettings;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.wire.Uuid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.stream.IntStream;

/// A controller in memory, for tests of handlers: commands are committed before they return.
/// Belongs to one thread.
public final class TestMetadata {
    private static final int EPOCH = 1;

    private final Random random = new Random(11);
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean running;
    private final MemoryLog log = new MemoryLog();
    private final MetadataService service =
            new MetadataService(
                    log,
                    this::execute,
                    new ControllerSettings(
                            Map.of(),
                            new Machine(2, 1_000_000),
                            Uuid.random(random),
                            () -> Uuid.random(random),
                            100));

    /// A cluster of active brokers 1 to `brokers`; broker 1 has `directories`, the others one each.
    public TestMetadata(int brokers, Uuid... directories) {
        execute(service::start);
        for (int id = 1; id <= brokers; id++) {
            start(
                    id,
                    id == 1 && directories.length > 0
                            ? List.of(directories)
                            : List.of(new Uuid(1000 + id, 1000)));
        }
    }

    /// Another node leads from now on.
    public void resign() {
        execute(log::resign);
    }

    /// This node leads again, in a new epoch.
    public void lead() {
        execute(log::lead);
    }

    /// Shows these voters and this leader, whoever leads.
    public void quorum(int leaderId, int... voters) {
        log.voters =
                IntStream.of(voters)
                        .mapToObj(id -> new QuorumState.Replica(id, new Uuid(id, 1000), -1, -1, -1))
                        .toList();
        log.leaderId = leaderId;
    }

    /// Leaders that the quorum was told are gone.
    public List<Integer> gone() {
        return List.copyOf(log.gone);
    }

    public MetadataService service() {
        return service;
    }

    public ClusterImage image() {
        return service.image();
    }

    /// Starts a new incarnation of a broker.
    public void start(int id, List<Uuid> directories) {
        start(id, directories, Optional.empty());
    }

    /// The same in a rack.
    public void start(int id, List<Uuid> directories, String rack) {
        start(id, directories, Optional.of(rack));
    }

    private void start(int id, List<Uuid> directories, Optional<String> rack) {
        RegisterBroker registration =
                new RegisterBroker(
                        id,
                        Uuid.random(random),
                        List.of(new BrokerEndpoint("PLAINTEXT", "host" + id, 9092, (short) 0)),
                        Features.supported(),
                        rack,
                        directories,
                        List.of(),
                        true,
                        true);
        service.submit(controller -> controller.registerBroker(registration)).join();
    }

    public void fence(int id) {
        service.submit(controller ->
                        controller.fenceBroker(id, image().broker(id).orElseThrow().epoch()))
                .join();
    }

    /// A topic whose partitions have these replicas.
    public void create(String name, List<List<Integer>> replicas) {
        Map<Integer, List<Integer>> assignments = new HashMap<>();
        for (int i = 0; i < replicas.size(); i++) {
            assignments.put(i, replicas.get(i));
        }
        CreateTopic topic = CreateTopic.named(name).withAssignments(assignments);
        ApiError error =
                service.submit(controller -> controller.createTopics(List.of(topic), false))
                        .join()
                        .getFirst()
                        .error();
        if (!error.isNone()) {
            throw new IllegalArgumentException(error.message());
        }
    }

    /// The metadata thread: runs tasks one after the other, on the thread that brings them.
    public void execute(Runnable task) {
        tasks.add(task);
        if (running) {
            return;
        }
        running = true;
        for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
            next.run();
        }
        running = false;
    }

    private final class MemoryLog implements MetadataLog {
        private long nextOffset;
        private int epoch = EPOCH;
        private int leaderId = 1;
        private List<QuorumState.Replica> voters = List.of();
        private final List<Integer> gone = new ArrayList<>();
        private final List<Listener> listeners = new ArrayList<>();

        @Override
        public void start(Listener listener) {
            listeners.add(listener);
            listener.onLeader(epoch);
        }

        void lead() {
            epoch++;
            listeners.forEach(listener -> listener.onLeader(epoch));
        }

        void resign() {
            listeners.forEach(Listener::onResigned);
        }

        @Override
        public long nextOffset() {
            return nextOffset;
        }

        @Override
        public long append(List<MetadataRecord> records, int epoch) {
            MetadataBatch batch = new MetadataBatch(nextOffset, epoch, 0, records);
            nextOffset += records.size();
            execute(() -> listeners.forEach(listener -> listener.onCommitted(batch)));
            return batch.baseOffset();
        }

        @Override
        public int maxBatchBytes() {
            return 1 << 20;
        }

        @Override
        public void snapshot(long lastOffset, int epoch, Iterable<MetadataRecord> image) {}

        @Override
        public QuorumState quorum() {
            return new QuorumState(leaderId, epoch, nextOffset, voters, List.of());
        }

        @Override
        public void leaderIsGone(int nodeId) {
            gone.add(nodeId);
        }

        @Override
        public void close() {}
    }
}
