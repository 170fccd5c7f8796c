package dev.ottla.group.consumer;

import dev.ottla.group.record.GroupRecord;
import dev.ottla.group.record.GroupRecord.ResolvedRegexValue;
import dev.ottla.group.shell.TimerKey;
import dev.ottla.group.shell.TopicsView;
import dev.ottla.group.shell.Turn;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/// Keeps the matches of the regular expressions that members subscribe to. The shell evaluates
/// them; here it is decided when to ask, and what to do with the answer. A group has one question
/// out at a time and asks again because of new topics at most once in [#MIN_INTERVAL_MS]. Owned by
/// the shard thread of the coordinator.
final class RegexSubscriptions {
    /// Between two questions that no member waits for.
    static final long MIN_INTERVAL_MS = 1_000;

    private final Function<String, ConsumerSettings> settings;
    private final Supplier<TopicsView> topics;

    RegexSubscriptions(Function<String, ConsumerSettings> settings, Supplier<TopicsView> topics) {
        this.settings = settings;
        this.topics = topics;
    }

    /// A member has exchanged its expression (the new one counts already). True when the matches of
    /// the new one are known, or there is none any more.
    boolean onSubscriptionChanged(
            ConsumerGroup group, Optional<String> before, Optional<String> after, Turn turn) {
        before.ifPresent(regex -> forgetIfUnused(group, regex, turn));
        return after.isEmpty() || group.resolved(after.get()).isPresent();
    }

    void forgetIfUnused(ConsumerGroup group, String regex, Turn turn) {
        if (group.regexSubscribers(regex) > 0 || group.resolved(regex).isEmpty()) return;
        turn.write(new GroupRecord.ResolvedRegex(group.groupId(), regex, Optional.empty()));
    }

    /// Whether what the member's expression matches is still being looked up.
    boolean isAwaited(ConsumerGroup group, String memberId) {
        return group.regexLookup().inFlight
                && group.existing(memberId)
                        .info()
                        .subscribedTopicRegex()
                        .filter(regex -> group.resolved(regex).isEmpty())
                        .isPresent();
    }

    /// Asks when a member waits for the matches of its expression.
    void lookUpUnresolved(ConsumerGroup group, Turn turn) {
        Set<String> regexes = group.regexes();
        if (regexes.isEmpty()) return;
        if (regexes.stream().allMatch(regex -> group.resolved(regex).isPresent())) return;
        lookUp(group, turn);
    }

    private void lookUp(ConsumerGroup group, Turn turn) {
        ConsumerGroup.RegexLookup lookup = group.regexLookup();
        if (lookup.inFlight) return;
        lookup.inFlight = true;
        lookup.stale = false;
        lookup.askedMs = turn.nowMs();
        turn.effects().resolveRegexes(group.groupId(), Set.copyOf(group.regexes()));
    }

    void onTopicsCreated(ConsumerGroup group, Turn turn) {
        if (group.regexes().isEmpty()) return;
        ConsumerGroup.RegexLookup lookup = group.regexLookup();
        if (lookup.inFlight) {
            lookup.stale = true;
        } else if (lookup.askedMs + MIN_INTERVAL_MS <= turn.nowMs()) {
            lookUp(group, turn);
        } else {
            turn.schedule(key(group), lookup.askedMs + MIN_INTERVAL_MS);
        }
    }

    /// Writes the matches; true when the group is subscribed to other topics than before.
    boolean onResolved(
            ConsumerGroup group, Map<String, Set<String>> matches, long version, Turn turn) {
        boolean stale = finish(group);
        boolean changed = false;
        for (String regex : new HashSet<>(group.regexes())) {
            Set<String> topicNames = matches.get(regex);
            if (topicNames == null) continue;
            Optional<ResolvedRegexValue> before = group.resolved(regex);
            if (before.filter(value -> value.topics().equals(topicNames)).isPresent()) continue;
            changed = true;
            turn.write(
                    new GroupRecord.ResolvedRegex(
                            group.groupId(),
                            regex,
                            Optional.of(
                                    new ResolvedRegexValue(topicNames, version, turn.nowMs()))));
        }
        scheduleRefresh(group, stale ? MIN_INTERVAL_MS : refreshIntervalMs(group), turn);
        return changed;
    }

    void onFailed(ConsumerGroup group, Turn turn) {
        finish(group);
        scheduleRefresh(group, MIN_INTERVAL_MS, turn);
    }

    private static boolean finish(ConsumerGroup group) {
        ConsumerGroup.RegexLookup lookup = group.regexLookup();
        lookup.inFlight = false;
        return lookup.stale;
    }

    private void scheduleRefresh(ConsumerGroup group, long delayMs, Turn turn) {
        if (group.regexes().isEmpty()) return;
        turn.schedule(key(group), turn.nowMs() + delayMs);
    }

    private int refreshIntervalMs(ConsumerGroup group) {
        return settings.apply(group.groupId()).regexRefreshIntervalMs();
    }

    void onTimer(ConsumerGroup group, Turn turn) {
        if (!group.regexes().isEmpty()) lookUp(group, turn);
    }

    /// Topics may have come while the group was not loaded.
    void onLoaded(ConsumerGroup group, Turn turn) {
        boolean behind =
                group.regexes().stream()
                        .anyMatch(regex ->
                                group.resolved(regex)
                                        .filter(value -> value.version() >= topics.get().version())
                                        .isEmpty());
        if (behind) lookUp(group, turn);
        else scheduleRefresh(group, refreshIntervalMs(group), turn);
    }

    private static TimerKey key(ConsumerGroup group) {
        return TimerKey.ofGroup(TimerKey.Kind.CONSUMER_REGEX, group.groupId());
    }
}
