package dev.ottla.chaos.check;

import dev.ottla.chaos.check.Anomaly.Kind;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.Event.TopicChange;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Topics that are made, changed and deleted during a run: what was certainly done must be found
/// after healing. Each change of a topic waits for the answer to the one before. Owned by one
/// thread.
final class TopicsCheck {
    /// In place of a setting: there is no such topic.
    private static final long NONE = LongList.ABSENT;

    private final Findings findings;
    private final Map<String, Topic> topics = new TreeMap<>();
    private final Map<Long, Event.TopicAsked> asked = new HashMap<>();

    private static final class Topic {
        /// What may be found.
        final Set<Long> possible = new HashSet<>(Set.of(NONE));

        /// Settings of lives that certainly ended.
        final Set<Long> past = new HashSet<>();

        /// The line of the last change.
        long line;
    }

    TopicsCheck(Findings findings) {
        this.findings = findings;
    }

    void onAsked(long line, Event.TopicAsked event) {
        asked.put(event.call(), event);
        Topic topic = topics.computeIfAbsent(event.topic(), _ -> new Topic());
        topic.possible.add(outcome(event));
        topic.line = line;
    }

    private static long outcome(Event.TopicAsked event) {
        return event.change() == TopicChange.DELETE ? NONE : event.setting();
    }

    void onAnswered(Event.TopicAnswered event) {
        Event.TopicAsked change = asked.remove(event.call());
        if (change != null && event.answer() == Event.Answer.DONE) {
            Topic topic = topics.computeIfAbsent(change.topic(), _ -> new Topic());
            if (change.change() == TopicChange.DELETE) {
                topic.past.addAll(topic.possible);
                topic.past.remove(NONE);
            }
            topic.possible.clear();
            topic.possible.add(outcome(change));
        }
    }

    void onFound(long line, Map<String, Long> found) {
        topics.forEach((name, topic) -> {
            long setting = found.getOrDefault(name, NONE);
            if (topic.possible.contains(setting)) {
                return;
            }
            if (setting == NONE) {
                add(Kind.TOPIC_LOST, "topic %s was created and is not there", name, topic, line);
            } else if (topic.past.contains(setting) || topic.possible.equals(Set.of(NONE))) {
                add(Kind.TOPIC_CAME_BACK, "topic %s was deleted and is back", name, topic, line);
            } else {
                String text =
                        "topic %%s has the setting %d instead of one of %s"
                                .formatted(setting, topic.possible);
                add(Kind.CONFIGURATION_LOST, text, name, topic, line);
            }
        });
    }

    private void add(Kind kind, String text, String name, Topic topic, long line) {
        findings.add(
                kind,
                () ->
                        new Anomaly(
                                kind,
                                text.formatted(name),
                                name,
                                List.of(),
                                List.of(),
                                List.of(topic.line, line)));
    }
}
