package dev.ottla.broker.coordinator;

import com.google.re2j.Pattern;
import dev.ottla.config.ClientPattern;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.TopicState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Which topics match which regular expressions (RE2/J syntax, the whole name). Pure; takes time in
/// proportion to expressions times topics, so it runs away from the shards.
final class RegexEvaluation {
    private RegexEvaluation() {}

    static Map<String, Set<String>> topicsByRegex(Set<String> regexes, ClusterImage image) {
        Map<String, Set<String>> matches = new HashMap<>();
        for (String regex : regexes) {
            Pattern pattern = ClientPattern.compile(regex);
            Set<String> topics = new HashSet<>();
            for (TopicState topic : image.topics()) {
                if (pattern.matches(topic.name())) topics.add(topic.name());
            }
            matches.put(regex, topics);
        }
        return matches;
    }
}
