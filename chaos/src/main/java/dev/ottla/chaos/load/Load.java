package dev.ottla.chaos.load;

import dev.ottla.chaos.cluster.ClusterState;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.History;
import dev.ottla.chaos.load.GroupMember.Group;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/// All clients of a run. Owned by the run's main thread.
public final class Load implements AutoCloseable {
    /// How long members of groups wait for an answer.
    public static final long REQUEST_TIMEOUT_MS = Consumers.REQUEST_TIMEOUT_MS;

    private static final String CLASSIC = Topics.PREFIX + "classic";
    private static final String NEW = Topics.PREFIX + "new";

    private static final int WRITERS_OF_A_TOPIC = 2;
    private static final int MEMBERS_OF_A_GROUP = 2;
    private static final int READERS = 2;

    private final List<Group> groups;
    private final List<Writer> writers = new ArrayList<>();
    private final List<PlainReader> readers = new ArrayList<>();
    private final List<GroupMember> members = new ArrayList<>();
    private final Observer observer;
    private final TopicMaker topicMaker;
    private final SeparateClient separateClient;
    private final List<Thread> writerThreads = new ArrayList<>();
    private final List<Thread> memberThreads = new ArrayList<>();
    private final List<Thread> otherThreads = new ArrayList<>();

    /// Starts all of them.
    ///
    /// @param recordsPerSecond of all writers together
    /// @param made how topics are made during the run
    public Load(
            String bootstrap,
            int recordsPerSecond,
            TopicShape made,
            GroupManners manners,
            History history) {
        groups = groups(manners);
        List<String> topics = Topics.names().stream().sorted().toList();
        int pace = recordsPerSecond / (topics.size() * WRITERS_OF_A_TOPIC);
        for (String topic : topics) {
            for (int i = 0; i < WRITERS_OF_A_TOPIC; i++) {
                writers.add(new Writer(writers.size() + 1, topic, bootstrap, pace, history));
            }
        }
        for (int i = 1; i <= READERS; i++) {
            readers.add(new PlainReader("reader-" + i, bootstrap, Topics.partitions(), history));
        }
        AtomicLong calls = new AtomicLong();
        for (Group group : groups) {
            for (int i = 1; i <= MEMBERS_OF_A_GROUP; i++) {
                members.add(new GroupMember(group, i, bootstrap, history, calls));
            }
        }
        observer = new Observer(bootstrap, groups(), history, calls);
        topicMaker = new TopicMaker(writers.size() + 1, bootstrap, made, history, calls);
        separateClient = new SeparateClient(bootstrap, writers.size() + 2, pace, manners, history);
        writers.forEach(writer -> start(writer, "writer", writerThreads));
        readers.forEach(reader -> start(reader, "reader", otherThreads));
        members.forEach(member -> start(member, "member", memberThreads));
        start(observer, "observer", otherThreads);
        start(topicMaker, "topic-maker", writerThreads);
    }

    private static void start(Runnable client, String name, List<Thread> threads) {
        Thread thread = new Thread(client, name + "-" + (threads.size() + 1));
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    public static List<String> groups() {
        return List.of(CLASSIC, NEW);
    }

    /// Of both protocols; between them they read every topic.
    static List<Group> groups(GroupManners manners) {
        int sessionMs = manners.sessionMs();
        return List.of(
                new Group(CLASSIC, "classic", sessionMs, Set.of(Topics.SYNCED)),
                new Group(
                        NEW,
                        manners.protocol(),
                        sessionMs,
                        Set.of(Topics.CACHED, Topics.COMPACTED)));
    }

    /// The clocks of all writers go wrong by so much; 0 sets them right.
    public void shiftClocks(long ms) {
        writers.forEach(writer -> writer.shiftClock(ms));
    }

    /// No more is written; returns whether everything written was answered in time.
    public boolean stopWriters(Duration deadline) {
        writers.forEach(Writer::stop);
        topicMaker.stop();
        boolean ended = separateClient.stop(deadline);
        return join(writerThreads, deadline) && ended;
    }

    /// Runs when a fault needs it.
    public SeparateClient separateClient() {
        return separateClient;
    }

    /// The metadata is left alone from now on.
    public void stopTopicMaker() {
        topicMaker.stop();
    }

    public TopicMaker topicMaker() {
        return topicMaker;
    }

    /// Whether each partition of each group has an owner.
    public boolean isAllOwned() {
        return groups.stream()
                .allMatch(group ->
                        group.partitions().stream()
                                .allMatch(partition ->
                                        members.stream()
                                                .anyMatch(
                                                        member -> member.owns(group, partition))));
    }

    /// What must be true from now on, by the history.
    public List<Event> mustBeOwned() {
        return groups.stream()
                .<Event>map(group -> new Event.MustBeOwned(group.name(), group.partitions()))
                .toList();
    }

    public boolean haveReadersRead(Map<String, Long> ends) {
        return readers.stream().allMatch(reader -> reader.hasRead(ends));
    }

    /// Members commit what they have read and leave.
    public boolean stopMembers(Duration deadline) {
        members.forEach(GroupMember::stop);
        return join(memberThreads, deadline);
    }

    /// One more look at all offsets, by the caller; returns the high watermarks.
    public Map<String, Long> observe(ClusterState state) {
        return observer.observe(state);
    }

    private static boolean join(List<Thread> threads, Duration deadline) {
        long deadlineNs = System.nanoTime() + deadline.toNanos();
        boolean all = true;
        for (Thread thread : threads) {
            try {
                long leftNs = Math.max(1, deadlineNs - System.nanoTime());
                all &= thread.join(Duration.ofNanos(leftNs));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return all;
    }

    /// Nobody writes, reads or asks any more.
    public void stop() {
        writers.forEach(Writer::stop);
        topicMaker.stop();
        readers.forEach(PlainReader::stop);
        members.forEach(GroupMember::stop);
        observer.stop();
        join(otherThreads, Duration.ofSeconds(10));
    }

    @Override
    public void close() {
        separateClient.kill();
        stop();
    }
}
