package dev.ottla.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.coordinator.group.GroupConfig;
import org.apache.kafka.server.config.DynamicBrokerConfig;
import org.apache.kafka.server.config.ServerTopicConfigSynonyms;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Our declarations against Kafka's own.
class KafkaDefinitionsTest {
    private final ConfigTable table = ConfigTable.table();

    @ParameterizedTest
    @EnumSource
    void everyKeyOfKafkaStandsInTheTable(Scope scope) {
        List<String> ours =
                table.keys(scope).stream().filter(key -> !key.own()).map(ConfigKey::name).toList();

        assertThat(ours).containsExactlyElementsOf(KafkaDefinitions.of(scope).keySet());
    }

    @ParameterizedTest
    @EnumSource
    void typeImportanceAndVisibilityAreKafkas(Scope scope) {
        KafkaDefinitions.of(scope)
                .forEach((name, kafka) -> {
                    ConfigKey<?> key = table.find(scope, name).orElseThrow();
                    assertThat(key.type().toString())
                            .as(name)
                            .isEqualToIgnoringCase(kafka.type.name());
                    assertThat(key.importance().name()).as(name).isEqualTo(kafka.importance.name());
                    assertThat(key.internal()).as(name).isEqualTo(kafka.internalConfig);
                });
    }

    @ParameterizedTest
    @EnumSource
    void defaultIsKafkasUnlessDeclaredDifferent(Scope scope) {
        KafkaDefinitions.of(scope)
                .forEach((name, kafka) -> {
                    ConfigKey<?> key = table.find(scope, name).orElseThrow();
                    Optional<String> kafkas = KafkaDefinitions.defaultOf(kafka);
                    if (key.difference().isEmpty()) {
                        assertThat(defaultText(key)).as(name).isEqualTo(kafkas);
                    } else {
                        assertThat(key.difference().get().kafkaDefault())
                                .as(name)
                                .isEqualTo(kafkas);
                        kafkas.ifPresent(
                                text -> assertThat(key.defaultWords()).as(name).isNotEqualTo(text));
                    }
                });
    }

    @ParameterizedTest
    @EnumSource
    void valuesAreTakenThatKafkaTakes(Scope scope) {
        List<String> differences = new ArrayList<>();

        KafkaDefinitions.of(scope)
                .forEach((name, kafka) -> {
                    ConfigKey<?> key = table.find(scope, name).orElseThrow();
                    if (kafka.type != ConfigDef.Type.CLASS) {
                        for (String probe : new TreeSet<>(KafkaDefinitions.probes(kafka))) {
                            if (key.check(probe).isEmpty()
                                    != KafkaDefinitions.takes(scope, kafka, probe)) {
                                differences.add("%s = '%s'".formatted(name, probe));
                            }
                        }
                    }
                });

        assertThat(differences).isEmpty();
    }

    @Test
    void brokerKeysAreDynamicAsInKafka() {
        Map<String, String> ours =
                table.keys(Scope.BROKER).stream()
                        .filter(key -> !key.own() && key.dynamicMode() != DynamicMode.READ_ONLY)
                        .collect(
                                Collectors.toMap(
                                        ConfigKey::name,
                                        key -> key.dynamicMode().toString().replace(' ', '-')));

        assertThat(ours)
                .containsExactlyInAnyOrderEntriesOf(DynamicBrokerConfig.dynamicConfigUpdateModes());
    }

    @Test
    void topicKeysFallBackOnTheBrokerKeysOfKafka() {
        Map<String, List<String>> kafkas = new HashMap<>();
        ServerTopicConfigSynonyms.ALL_TOPIC_CONFIG_SYNONYMS.forEach((name, synonyms) ->
                kafkas.put(
                        name,
                        synonyms.stream().map(s -> s.name() + s.converter().apply("3")).toList()));

        assertThat(synonyms(Scope.TOPIC)).containsExactlyInAnyOrderEntriesOf(kafkas);
    }

    @Test
    void groupKeysFallBackOnTheBrokerKeysOfKafka() {
        Map<String, List<String>> kafkas = new HashMap<>();
        GroupConfig.ALL_GROUP_CONFIG_SYNONYMS.forEach((name, synonym) ->
                synonym.ifPresent(broker -> kafkas.put(name, List.of(broker + "3"))));

        assertThat(synonyms(Scope.GROUP)).containsExactlyInAnyOrderEntriesOf(kafkas);
    }

    private Map<String, List<String>> synonyms(Scope scope) {
        Map<String, List<String>> ours = new HashMap<>();
        for (ConfigKey<?> key : table.keys(scope)) {
            if (!key.own() && !key.synonyms().isEmpty()) {
                ours.put(
                        key.name(),
                        key.synonyms().stream()
                                .map(KafkaDefinitionsTest::nameAndConversionOfThree)
                                .toList());
            }
        }
        return ours;
    }

    private static <S, T> String nameAndConversionOfThree(Synonym<S, T> synonym) {
        return synonym.key().name()
                + synonym.parse("3")
                        .filter(Long.class::isInstance)
                        .map(String::valueOf)
                        .orElse("3");
    }

    private static <T> Optional<String> defaultText(ConfigKey<T> key) {
        return key.defaultIn(Surroundings.of(1, 2)).map(key.type()::format);
    }
}
