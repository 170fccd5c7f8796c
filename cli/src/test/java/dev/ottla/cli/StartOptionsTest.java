package dev.ottla.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.commandline.UsageException;
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
                        "--set=log.retention.hours=2",
                        "--set",
                        "num.partitions = 2",
                        "--node-id=3",
                        "--port=0");

        assertThat(options.properties())
                .containsEntry("node.id", "3")
                .containsEntry("num.partitions", "2")
                .containsEntry("log.retention.hours", "2")
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
        assertThat(parse("--set", "-a=b").properties()).containsEntry("-a", "b");
        refused("--node-id (node.id) takes ", "--node-id", "-1");
    }

    @Test
    void whatCannotBeMeantIsRefusedWithTheOption() {
        refused("--set takes KEY=VALUE", "--set=num.partitions");
        refused("--set takes KEY=VALUE", "--set==5");
        refused("--port takes a number from 0 to 65535", "--port=99999");
        refused("--port takes a number from 0 to 65535", "--port=-1");
        refused("--port takes a number from 0 to 65535 and got x", "--port=x");
        refused("--node-id (node.id) takes a whole number", "--node-id=99999999999");
        refused("--role (quorum.role) takes one of", "--role=king");
        refused("--join takes HOST:PORT", "--join=a:b:c");
        refused("--data-dir takes the name of a directory", "--data-dir=");
    }

    @Test
    void fileThatCannotBeReadIsNoMistakeOfTheLine(@TempDir Path directory) {
        for (Path file : List.of(directory, directory.resolve("missing"))) {
            assertThatThrownBy(() -> parse("--config=" + file).properties())
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining(file + " cannot be read");
        }
    }

    @Test
    void advertisedAddressIsOneThatClientsCanConnectTo() {
        for (String nonsense :
                List.of("a:b:c", "0.0.0.0", "0.0.0.0:9092", "::", "[::]:9092", ":9092", "a:0")) {
            refused("--advertise (advertised.address) takes `host`", "--advertise=" + nonsense);
        }
        for (String good : List.of("host", "host:9092", "10.0.0.1", "2001:db8::1", "[::1]:9092")) {
            assertThat(parse("--advertise=" + good).properties())
                    .containsEntry("advertised.address", good);
        }
    }

    @Test
    void whatIsSaidTwiceIsSaidAlike(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("a.properties");
        Files.writeString(file, "listeners=PLAINTEXT://:9095,LAN://:9096\n");

        refused("(in " + file + ") both say where to listen", "--config=" + file, "--port=9092");
        refused("(--set) both say", "--set=listeners=PLAINTEXT://localhost:9093", "--port=9092");
        refused("--node-id says 3, and --set node.id=2", "--set=node.id=2", "--node-id=3");
        assertThat(parse("--set=listeners=PLAINTEXT://:9092", "--port=9092").properties())
                .containsEntry("listeners", "PLAINTEXT://:9092");
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
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(reason);
    }

    private static StartOptions parse(String... arguments) {
        return StartOptions.parse(List.of(arguments));
    }
}
