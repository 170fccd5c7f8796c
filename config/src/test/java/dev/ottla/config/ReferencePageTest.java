package dev.ottla.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReferencePageTest {
    /// Lower it as features come; it never rises. A key that waits for a feature may turn out to
    /// have nothing to do there, hence the sum.
    private static final long NOT_HONOURED = 305;

    private static final Path PAGE =
            Path.of(System.getProperty("ottla.root", ".."), "docs/reference/config.md");

    @Test
    void pageIsWhatTheDeclarationsSay() throws IOException {
        if (Boolean.getBoolean("ottla.rewrite")) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, ReferencePage.text());
        }

        assertThat(Files.readString(PAGE))
                .as(
                        "docs/reference/config.md is stale: run the tests of config with -Dottla.rewrite=true")
                .isEqualTo(ReferencePage.text());
    }

    @Test
    void keysWithoutEffectOnlyBecomeFewer() {
        assertThat(count(Standing.NoEffect.class) + count(Standing.Later.class))
                .isLessThanOrEqualTo(NOT_HONOURED);
    }

    @Test
    void everySentenceStandsOnItsOwn() {
        for (ConfigKey<?> key : everyKey()) {
            assertThat(key.documentation())
                    .as(key.name())
                    .matches("(?s)[A-Z`].{10,}\\.")
                    .doesNotContain("..");
        }
    }

    @Test
    void onlyOttlasOwnKeysAndDeclaredDifferencesDepartFromKafka() {
        List<String> different =
                everyKey().stream()
                        .filter(key -> key.difference().isPresent())
                        .map(ConfigKey::name)
                        .sorted()
                        .toList();

        assertThat(different)
                .containsExactly(
                        "controller.listener.names",
                        "default.replication.factor",
                        "log.dir",
                        "metadata.log.segment.bytes",
                        "min.insync.replicas",
                        "min.insync.replicas",
                        "node.id",
                        "num.network.threads",
                        "offsets.retention.minutes",
                        "offsets.topic.replication.factor",
                        "process.roles",
                        "share.coordinator.state.topic.min.isr",
                        "share.coordinator.state.topic.replication.factor",
                        "socket.listen.backlog.size",
                        "transaction.state.log.min.isr",
                        "transaction.state.log.replication.factor");
    }

    private static long count(Class<? extends Standing> standing) {
        return everyKey().stream().filter(key -> standing.isInstance(key.standing())).count();
    }

    private static List<ConfigKey<?>> everyKey() {
        return ConfigTable.table().byArea().values().stream()
                .<ConfigKey<?>>flatMap(List::stream)
                .toList();
    }
}
