package dev.ottla.metadata.service;

import dev.ottla.metadata.MetadataBatch;
import dev.ottla.metadata.MetadataLog;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.controller.Controller;
import dev.ottla.metadata.controller.Outcome;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageVersion;
import dev.ottla.wire.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The metadata of this node: the image of the cluster, and the controller while this node leads.
///
/// Commands queue up and a turn takes all that wait: each builds on the records of the ones before,
/// and as many as fit share one append. A future completes when everything that its command read or
/// wrote is committed and the listeners have seen the image; it fails with [NotControllerException]
/// when that cannot be said any more.
///
/// [#submit] and [#image] may be called by any thread; all the rest happens on the metadata thread,
/// which is the executor given at birth: it must run one task at a time, in order.
public final class MetadataService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MetadataService.class);

    private final MetadataLog log;
    private final Executor metadataThread;
    private final ControllerSettings settings;
    private final ImagePublisher publisher = new ImagePublisher();

    /// Commands of all threads, taken by the metadata thread. When it is full, more are refused.
    private final BlockingQueue<Command<?>> queue;

    /// Whether a turn is on its way. Set by whoever queues a command, cleared by the turn before it
    /// looks at the queue, so a command is never left behind.
    private final AtomicBoolean turnDue = new AtomicBoolean();

    private Optional<Leadership> leadership = Optional.empty();

    /// Whether there is a leadership. Written by the metadata thread, read by any: whoever finds
    /// the state of a moment ago is told so when the command fails.
    private volatile boolean leads;

    private boolean closed;

    private boolean blind;
    private Consumer<Boolean> sight = _ -> {};

    /// @param metadataThread runs everything that is not said to be for any thread
    public MetadataService(MetadataLog log, Executor metadataThread, ControllerSettings settings) {
        this.log = log;
        this.metadataThread = metadataThread;
        this.settings = settings;
        this.queue = new ArrayBlockingQueue<>(settings.maxQueuedCommands());
    }

    private record Command<R>(
            Function<Controller, Outcome<R>> action, CompletableFuture<R> future) {}

    /// Reads what is committed, then tells the listeners. When the engine makes this node the
    /// leader at once, commands can be submitted as soon as this returns. On the metadata thread.
    public void start() {
        log.start(new LogListener());
        publisher.release();
    }

    /// Listens from now on; what there is already is brought at once. On the metadata thread, or
    /// before the start.
    public void addListener(ImageListener listener) {
        publisher.add(listener);
    }

    /// `hears` is told now and whenever it changes whether more is committed than this node can
    /// take, so that its image may be outdated. On the metadata thread.
    public void watchSight(Consumer<Boolean> hears) {
        sight = hears;
        hears.accept(blind);
    }

    /// The newest image. Any thread.
    public ClusterImage image() {
        return publisher.image();
    }

    /// The quorum as this node sees it. On the metadata thread.
    public QuorumState quorum() {
        return log.quorum();
    }

    /// As [MetadataLog#confirmLead]. On the metadata thread.
    public CompletableFuture<Boolean> confirmLead() {
        return isLeader() ? log.confirmLead() : CompletableFuture.completedFuture(false);
    }

    /// Why nothing new can be heard of here until the next start. On the metadata thread.
    public Optional<String> failure() {
        return log.failure();
    }

    /// The process of the active controller, another node, has ended for certain. On the metadata
    /// thread.
    public void leaderIsGone(int nodeId) {
        log.leaderIsGone(nodeId);
    }

    /// Whether this node is the active controller. On the metadata thread.
    public boolean isLeader() {
        return leadership.isPresent();
    }

    /// The epoch in which this node is the active controller, empty when it is not. On the metadata
    /// thread.
    public OptionalInt leadingEpoch() {
        return leadership.stream().mapToInt(Leadership::epoch).findFirst();
    }

    /// Whether this node is the active controller, as of a moment ago. Any thread.
    public boolean leads() {
        return leads;
    }

    /// Runs a command on the controller, for example `submit(controller ->
    /// controller.createTopics(topics, false))`. Any thread.
    public <R> CompletableFuture<R> submit(Function<Controller, Outcome<R>> command) {
        CompletableFuture<R> future = new CompletableFuture<>();
        if (!queue.offer(new Command<>(command, future))) {
            future.completeExceptionally(
                    new NotControllerException(
                            "The controller has %d commands to do already: try again later."
                                    .formatted(settings.maxQueuedCommands())));
            return future;
        }
        if (turnDue.compareAndSet(false, true)) metadataThread.execute(this::turn);
        return future;
    }

    /// The quorum as this node sees it. Any thread.
    public CompletableFuture<QuorumState> quorumState() {
        return CompletableFuture.supplyAsync(this::quorum, metadataThread);
    }

    private void turn() {
        turnDue.set(false);
        List<Command<?>> commands = new ArrayList<>();
        queue.drainTo(commands);
        if (leadership.isEmpty()) {
            NotControllerException reason =
                    new NotControllerException(
                            closed
                                    ? "This node is stopping: try another."
                                    : "This node is not the active controller: try again.");
            commands.forEach(command -> command.future().completeExceptionally(reason));
            return;
        }
        Leadership leader = leadership.get();
        commands.forEach(command -> run(command, leader));
        leader.flush();
    }

    private static <R> void run(Command<R> command, Leadership leader) {
        leader.run(command.action(), command.future());
    }

    private void resign(NotControllerException reason) {
        Optional<Leadership> former = leadership;
        leadership = Optional.empty();
        leads = false;
        former.ifPresent(leader -> leader.abandon(reason));
    }

    /// Stops: what is not committed yet fails. On the metadata thread.
    @Override
    public void close() {
        closed = true;
        resign(new NotControllerException("This node is stopping: try another."));
        turn();
        log.close();
    }

    private final class LogListener implements MetadataLog.Listener {
        @Override
        public void onSnapshot(long lastOffset, int epoch, Iterable<MetadataRecord> image) {
            Check.check(leadership.isEmpty(), "a snapshot comes to the leader");
            publisher.onSnapshot(new ImageVersion(lastOffset, epoch), image);
        }

        @Override
        public void onCommitted(MetadataBatch batch) {
            publisher.onCommitted(batch);
            leadership.ifPresent(leader -> leader.onCommitted(batch.lastOffset(), image()));
        }

        @Override
        public void onSnapshotDue() {
            ClusterImage image = image();
            if (publisher.isInTransaction() || image.version().offset() < 0) return;
            log.snapshot(image.version().offset(), image.version().epoch(), image.records());
        }

        @Override
        public void onLeader(int epoch) {
            LOG.info("This node is the active controller, epoch {}.", epoch);
            Leadership leader =
                    new Leadership(log, epoch, settings, image(), MetadataService.this::resign);
            leadership = Optional.of(leader);
            leads = true;
            leader.begin(publisher.isInTransaction());
        }

        @Override
        public void onBlind(boolean is) {
            if (is == blind) return;
            blind = is;
            sight.accept(is);
        }

        @Override
        public void onResigned() {
            resign(new NotControllerException("Another controller took over: try again."));
        }
    }
}
