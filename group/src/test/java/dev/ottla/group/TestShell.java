package dev.ottla.group;

import dev.ottla.group.classic.ClassicSettings;
import dev.ottla.group.consumer.ConsumerSettings;
import dev.ottla.group.offset.OffsetSettings;
import dev.ottla.group.record.CoordinatorRecord;
import dev.ottla.group.record.GroupRecord;
import dev.ottla.group.record.GroupRecordCodec;
import dev.ottla.group.shell.Effects;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.Reply;
import dev.ottla.group.shell.TimerKey;
import dev.ottla.group.shell.TopicsView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The shell around a coordinator, in memory: a log that commits at once, timers on a clock that
/// the test moves, and settings that the test may change.
final class TestShell implements Effects, GroupConfigs {
    final List<CoordinatorRecord> log = new ArrayList<>();
    final Map<TimerKey, Long> timers = new HashMap<>();
    final Map<String, Set<String>> regexRequests = new HashMap<>();
    final Map<String, ConsumerSettings> groupSettings = new HashMap<>();
    ClassicSettings classicSettings = ClassicSettings.DEFAULT;
    ConsumerSettings consumerSettings = ConsumerSettings.DEFAULT;
    OffsetSettings offsetSettings = OffsetSettings.DEFAULT;
    TestTopics topics = TestTopics.EMPTY;
    long nowMs = 1_000_000;
    GroupCoordinator coordinator;
    private int lastId;

    TestShell() {
        coordinator = newCoordinator();
        coordinator.onLoaded(topics, nowMs);
    }

    private GroupCoordinator newCoordinator() {
        return new GroupCoordinator(this, this, () -> "id" + ++lastId);
    }

    /// Drops the coordinator and loads another one from the log.
    void reload() {
        timers.clear();
        regexRequests.clear();
        coordinator = loadedCopy(this);
        coordinator.onLoaded(topics, nowMs);
    }

    /// A coordinator that has replayed the log and is not started.
    GroupCoordinator loadedCopy(Effects effects) {
        GroupCoordinator copy = new GroupCoordinator(this, effects, () -> "id" + ++lastId);
        log.forEach(record -> copy.replay(record.key(), record.value(), -1));
        return copy;
    }

    /// Moves the clock on, firing every timer on the way at its time.
    void advance(long ms) {
        long target = nowMs + ms;
        while (true) {
            Optional<Map.Entry<TimerKey, Long>> next =
                    timers.entrySet().stream()
                            .filter(entry -> entry.getValue() <= target)
                            .min(
                                    Map.Entry.<TimerKey, Long>comparingByValue()
                                            .thenComparing(
                                                    entry -> entry.getKey().toString(),
                                                    Comparator.naturalOrder()));
            if (next.isEmpty()) break;
            nowMs = Math.max(nowMs, next.get().getValue());
            timers.remove(next.get().getKey());
            coordinator.onTimer(next.get().getKey(), nowMs);
        }
        nowMs = target;
    }

    void setTopics(TestTopics changed) {
        TopicChanges changes = topics.changesTo(changed);
        topics = changed;
        coordinator.onTopicsChanged(changed, changes, nowMs);
    }

    /// Answers what the coordinator asked about regular expressions.
    void resolveRegexes() {
        Map<String, Set<String>> requests = new HashMap<>(regexRequests);
        regexRequests.clear();
        requests.forEach((groupId, regexes) -> {
            Map<String, Set<String>> matches = new HashMap<>();
            regexes.forEach(regex -> matches.put(regex, topics.matching(regex)));
            coordinator.onRegexesResolved(groupId, matches, topics.version(), nowMs);
        });
    }

    /// The records appended since `from`, decoded.
    List<GroupRecord> recordsSince(int from) {
        return log.subList(from, log.size()).stream()
                .map(record -> GroupRecordCodec.decode(record.key(), record.value()))
                .toList();
    }

    @Override
    public void append(List<CoordinatorRecord> records) {
        if (records.isEmpty()) throw new AssertionError("nothing to append");
        log.addAll(records);
    }

    @Override
    public <T> void complete(Reply<T> reply, T response) {
        reply.complete(response);
    }

    @Override
    public void refuse(Reply<?> reply, Refusal refusal) {
        reply.refuse(refusal);
    }

    @Override
    public void schedule(TimerKey key, long deadlineMs) {
        timers.put(key, deadlineMs);
    }

    @Override
    public void cancel(TimerKey key) {
        timers.remove(key);
    }

    @Override
    public void resolveRegexes(String groupId, Set<String> regexes) {
        if (regexRequests.put(groupId, new HashSet<>(regexes)) != null) {
            throw new AssertionError("group " + groupId + " asks again without an answer");
        }
    }

    @Override
    public ClassicSettings classic() {
        return classicSettings;
    }

    @Override
    public ConsumerSettings consumer(String groupId) {
        return groupSettings.getOrDefault(groupId, consumerSettings);
    }

    @Override
    public OffsetSettings offsets() {
        return offsetSettings;
    }

    TopicsView view() {
        return topics;
    }
}
