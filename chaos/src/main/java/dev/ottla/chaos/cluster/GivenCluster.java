package dev.ottla.chaos.cluster;

import dev.ottla.chaos.cluster.Hook.Answer;
import dev.ottla.chaos.cluster.Hook.Outcome;
import dev.ottla.testkit.RawConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.jspecify.annotations.Nullable;

/// One that was there before the run and outlives it. Its nodes are out of reach, but for what a
/// hook does. Whatever that has begun is undone at the end, also when the run is interrupted.
///
/// Used by the run's main thread, and by the JVM's when the run is interrupted: guarded by its
/// monitor.
public final class GivenCluster implements Cluster {
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Duration ANSWER = Duration.ofSeconds(1);

    /// So many vote in a cluster that survives a loss; how many there are more says nothing.
    private static final int MOST_VOTERS = 3;

    private final String bootstrap;
    private final Map<Integer, InetSocketAddress> brokers;
    private final int voters;
    private final @Nullable Hook hook;
    private final Consumer<String> teller;
    private final Set<Means> means = EnumSet.noneOf(Means.class);

    // What may have to be undone, for a call that failed may have done its work.
    private final Set<Integer> killed = new TreeSet<>();
    private final Set<Integer> frozen = new TreeSet<>();
    private boolean isCut;

    // What is undone at the end in any case.
    private final Set<Integer> everKilled = new TreeSet<>();
    private final Set<Integer> everFrozen = new TreeSet<>();
    private boolean wasCut;

    private boolean closed;

    GivenCluster(
            String bootstrap,
            Map<Integer, InetSocketAddress> brokers,
            int voters,
            @Nullable Hook hook,
            Consumer<String> teller) {
        this.bootstrap = bootstrap;
        this.brokers = new TreeMap<>(brokers);
        this.voters = voters;
        this.hook = hook;
        this.teller = teller;
        boolean hasOthers = brokers.size() > 1;
        if (hasOthers) {
            means.add(Means.MOVE);
        }
        if (hook != null) {
            means.addAll(Set.of(Means.KILL, Means.PAUSE));
            if (hasOthers) {
                means.add(Means.CUT);
            }
        }
    }

    /// Throws [IllegalStateException], with what to do, when nobody answers.
    ///
    /// @param limit of each call of the hook
    /// @param teller is told what the hook could not do
    public static GivenCluster connect(
            String bootstrap, Optional<Path> hook, Duration limit, Consumer<String> teller) {
        return connect(
                bootstrap,
                hook.map(program -> new Hook(program, limit)).orElse(null),
                teller,
                PATIENCE);
    }

    static GivenCluster connect(
            String bootstrap, @Nullable Hook hook, Consumer<String> teller, Duration patience) {
        try (ClusterState state = new ClusterState(bootstrap)) {
            long deadlineNs = System.nanoTime() + patience.toNanos();
            Map<Integer, InetSocketAddress> brokers = state.brokers();
            while (brokers.isEmpty()) {
                if (System.nanoTime() > deadlineNs) {
                    throw unreachable(bootstrap);
                }
                brokers = state.brokers();
            }
            GivenCluster cluster =
                    new GivenCluster(
                            bootstrap,
                            brokers,
                            Math.min(MOST_VOTERS, state.voters().size()),
                            hook,
                            teller);
            Runtime.getRuntime().addShutdownHook(new Thread(cluster::interrupt));
            return cluster;
        } catch (KafkaException e) {
            throw unreachable(bootstrap);
        }
    }

    private static IllegalStateException unreachable(String bootstrap) {
        return new IllegalStateException(
                "No broker answers at %s. Is the cluster up? --bootstrap takes the address of a listener without TLS and without authentication."
                        .formatted(bootstrap));
    }

    /// Whether its brokers know the newer protocol of consumer groups.
    public boolean knowsConsumerProtocol() {
        for (InetSocketAddress address : brokers.values()) {
            try (RawConnection connection = RawConnection.open(address, PATIENCE)) {
                return connection
                                .request(
                                        new ApiVersionsRequest.Builder().build((short) 0),
                                        ApiVersionsResponse.class)
                                .apiVersion(ApiKeys.CONSUMER_GROUP_HEARTBEAT.id)
                        != null;
            } catch (IOException e) {
                teller.accept("The broker at " + address + " does not answer: " + e.getMessage());
            }
        }
        return false;
    }

    @Override
    public synchronized Set<Means> means() {
        return Set.copyOf(means);
    }

    @Override
    public List<Integer> ids() {
        return List.copyOf(brokers.keySet());
    }

    @Override
    public String bootstrap() {
        return bootstrap;
    }

    @Override
    public InetSocketAddress address(int id) {
        InetSocketAddress address = brokers.get(id);
        if (address == null) {
            throw new IllegalArgumentException("no node " + id);
        }
        return address;
    }

    @Override
    public int voters() {
        return voters;
    }

    @Override
    public Optional<OwnCluster> own() {
        return Optional.empty();
    }

    @Override
    public boolean isReady(int id) {
        try (RawConnection connection = RawConnection.open(address(id), ANSWER)) {
            connection.apiVersions();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public synchronized boolean isRunning(int id) {
        return brokers.containsKey(id) && !killed.contains(id);
    }

    @Override
    public synchronized void kill(int id) {
        killed.add(id);
        everKilled.add(id);
        if (begin(Means.KILL, "kill", id) == Outcome.NOT_SUPPORTED) {
            killed.remove(id);
            everKilled.remove(id);
            throw leftOut("kill");
        }
        frozen.remove(id);
    }

    @Override
    public synchronized void launch(int id) {
        throwIfLeft(start(id));
    }

    @Override
    public synchronized void freeze(int id) {
        frozen.add(id);
        everFrozen.add(id);
        if (begin(Means.PAUSE, "pause", id) == Outcome.NOT_SUPPORTED) {
            frozen.remove(id);
            everFrozen.remove(id);
            throw leftOut("pause");
        }
    }

    @Override
    public synchronized void thaw(int id) {
        if (frozen.contains(id)) {
            throwIfLeft(resume(id));
        }
    }

    @Override
    public synchronized void cut(int from, int to) {
        boolean wasWhole = !isCut;
        isCut = true;
        if (begin(Means.CUT, "cut", from, to) == Outcome.NOT_SUPPORTED) {
            isCut = !wasWhole;
            throw leftOut("cut");
        }
        wasCut = true;
    }

    @Override
    public synchronized void joinNetworks() {
        if (isCut) {
            throwIfLeft(heal());
        }
    }

    @Override
    public synchronized List<String> mend() {
        List<String> left = new ArrayList<>();
        if (isCut) {
            left.add(heal());
        }
        Set.copyOf(frozen).forEach(id -> left.add(resume(id)));
        Set.copyOf(killed).forEach(id -> left.add(start(id)));
        left.removeIf(String::isEmpty);
        left.forEach(teller);
        return left;
    }

    /// Throws when the hook has failed.
    private Outcome begin(Means what, String verb, int... nodes) {
        if (closed || hook == null) {
            throw new IllegalStateException("the run is over");
        }
        Answer answer = call(verb, nodes);
        if (answer.outcome() == Outcome.NOT_SUPPORTED) {
            means.remove(what);
        } else if (answer.outcome() == Outcome.FAILED) {
            teller.accept(answer.text());
            throw new IllegalStateException(answer.text());
        }
        return answer.outcome();
    }

    private IllegalStateException leftOut(String verb) {
        String text =
                "the hook does not support '%s': faults that need it are left out from now on"
                        .formatted(verb);
        teller.accept(text);
        return new IllegalStateException(text);
    }

    private static void throwIfLeft(String text) {
        if (!text.isEmpty()) {
            throw new IllegalStateException(text);
        }
    }

    /// As the others that undo, returns why it is not done, and nothing when it is.
    private String start(int id) {
        Answer answer = call("start", id);
        if (answer.outcome() == Outcome.DONE) {
            killed.remove(id);
        }
        return answer.text();
    }

    private String resume(int id) {
        Answer answer = call("resume", id);
        if (answer.outcome() == Outcome.DONE) {
            frozen.remove(id);
        }
        return answer.text();
    }

    private String heal() {
        Answer answer = call("heal");
        if (answer.outcome() == Outcome.DONE) {
            isCut = false;
        }
        return answer.text();
    }

    private Answer call(String verb, int... nodes) {
        if (hook == null) {
            return new Answer(Outcome.NOT_SUPPORTED, "there is no hook");
        }
        List<String> words = new ArrayList<>(List.of(verb));
        for (int node : nodes) {
            words.add(String.valueOf(node));
        }
        return hook.call(words.toArray(String[]::new));
    }

    private synchronized void interrupt() {
        if (!closed) {
            teller.accept(
                    "The run was interrupted; its topics and groups, whose names begin with chaos-, stay in the cluster.");
            close();
        }
    }

    /// Undoes all that the hook has ever done, whether it was undone before or not.
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        isCut = wasCut || isCut;
        frozen.addAll(everFrozen);
        killed.addAll(everKilled);
        mend();
    }
}
