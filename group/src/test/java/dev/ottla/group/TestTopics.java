package dev.ottla.group;

import com.google.re2j.Pattern;
import dev.ottla.group.shell.TopicsView;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Topics as a map. Immutable.
final class TestTopics implements TopicsView {
    static final TestTopics EMPTY = new TestTopics(Map.of(), 0);

    private final Map<String, Topic> topics;
    private final long version;

    private TestTopics(Map<String, Topic> topics, long version) {
        this.topics = new TreeMap<>(topics);
        this.version = version;
    }

    /// With a topic of so many partitions more, or another number of partitions.
    TestTopics with(String name, int partitionCount) {
        Map<String, Topic> copy = new HashMap<>(topics);
        Uuid id = byName(name).map(Topic::id).orElse(new Uuid(name.hashCode(), version + 1));
        copy.put(name, new Topic(name, id, partitionCount));
        return new TestTopics(copy, version + 1);
    }

    TestTopics without(String name) {
        Map<String, Topic> copy = new HashMap<>(topics);
        copy.remove(name);
        return new TestTopics(copy, version + 1);
    }

    Set<String> names() {
        return topics.keySet();
    }

    Uuid id(String name) {
        return byName(name).orElseThrow().id();
    }

    Set<String> matching(String regex) {
        Pattern pattern = Pattern.compile(regex);
        return topics.keySet().stream()
                .filter(name -> pattern.matcher(name).matches())
                .collect(Collectors.toSet());
    }

    TopicChanges changesTo(TestTopics newer) {
        Set<String> changed = new HashSet<>();
        List<Topic> deleted = new ArrayList<>();
        topics.forEach((name, topic) -> {
            Optional<Topic> after = newer.byName(name);
            if (!after.equals(Optional.of(topic))) changed.add(name);
            if (after.filter(other -> other.id().equals(topic.id())).isEmpty()) {
                deleted.add(topic);
            }
        });
        boolean created = false;
        for (Topic topic : newer.topics.values()) {
            Optional<Topic> before = byName(topic.name());
            if (before.isEmpty() || !Objects.equals(before.get().id(), topic.id())) {
                created = true;
                changed.add(topic.name());
            }
        }
        return new TopicChanges(changed, created, deleted);
    }

    @Override
    public Optional<Topic> byName(String name) {
        return Optional.ofNullable(topics.get(name));
    }

    @Override
    public Optional<Topic> byId(Uuid id) {
        return topics.values().stream().filter(topic -> topic.id().equals(id)).findFirst();
    }

    @Override
    public long version() {
        return version;
    }
}
