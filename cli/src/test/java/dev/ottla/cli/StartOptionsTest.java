package dev.ottla.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StartOptionsTest {
    @Test
    void namedOptionsWinOverSetAndSetOverTheFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("a.properties");
        Files.writeString(file, "node.id=1\nnum.partitions=1\nlog.retention.hours=1\n");

        StartOptions options =
                parse(
                        "--config=" + file,
                        "--set=node.id=2",
                        "--set",
                        "num.partitions = 2",
                        "--node-id=3",
                        "--port=0");

        assertThat(options.properties())
                .containsEntry("node.id", "3")
                .containsEntry("num.partitions", "2")
                .containsEntry("log.retention.hours", "1")
                .containsEntry("listeners", "PLAINTEXT://:0");
    }

    @Test
    void valueOfSetMayHoldEqualsSignsAndNothing() {
        assertThat(parse("--set=match=client_id=a", "--set=broker.rack=").properties())
                .containsEntry("match", "client_id=a")
                .containsEntry("broker.rack", "");
    }

    @Test
    void valueMayBeginWithADash() {
        assertThat(parse("--node-id", "-1", "--set", "-a=b").properties())
                .containsEntry("node.id", "-1")
                .containsEntry("-a", "b");
    }

    @Test
    void whatCannotBeMeantIsRefusedWithTheOption(@TempDir Path directory) {
        refused("--set takes KEY=VALUE", "--set=num.partitions");
        refused("--set takes KEY=VALUE", "--set==5");
        refused("--port takes a number from 0 to 65535", "--port=99999");
        refused("--port takes a number from 0 to 65535", "--port=-1");
        refused("--port takes a number from 0 to 65535 and got x", "--port=x");
        refused("--node-id takes a whole number", "--node-id=99999999999");
        refused("--data-dir takes the name of a directory", "--data-dir=");
        refused("(it is a directory)", "--config=" + directory);
        refused("(there is none)", "--config=" + directory.resolve("missing"));
    }

    @Test
    void dataIsInOnePlace(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("a.properties");
        Files.writeString(file, "log.dirs=/disk1,/disk2\n");

        refused("give one of the two", "--config=" + file, "--data-dir=/other");
        refused("log.dir says /b", "--set=log.dir=/b", "--data-dir=/a");
        assertThat(parse("--set=log.dirs=/a", "--data-dir=/a").properties())
                .containsEntry("log.dirs", "/a");
    }

    private static void refused(String reason, String... words) {
        StartOptions options = parse(words);
        assertThatThrownBy(options::properties)
                .isInstanceOf(Refusal.class)
                .hasMessageContaining(reason);
    }

    private static StartOptions parse(String... arguments) {
        return StartOptions.parse(List.of(arguments));
    }
}
