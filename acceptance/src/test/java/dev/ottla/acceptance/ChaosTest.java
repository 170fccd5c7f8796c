package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ottla.testkit.BrokerCommand;
import dev.ottla.testkit.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A minute of `./ottla chaos`: the cluster keeps its promises, and a cluster with a planted
/// mistake is caught.
@Order(1)
@Isolated("its nodes and clients take both cores")
class ChaosTest {
    private static final Duration DEADLINE = Duration.ofMinutes(10);
    private static final Pattern FIGURES =
            Pattern.compile("PASS: ([\\d,]+) acknowledged records .* (\\d+) faults of");

    private final long seed = StoredRecords.seed(ChaosTest.class);

    @Test
    void minuteOfAllFaultsPasses(@TempDir Path directory) {
        ChildProcess.Result result =
                chaos(directory, List.of(), "--minutes", "1", "--rate", "3000");

        assertThat(result.exitCode()).as(all(result)).isZero();
        Matcher figures = FIGURES.matcher(result.out());
        assertThat(figures.find()).as(all(result)).isTrue();
        assertThat(Long.parseLong(figures.group(1).replace(",", "")))
                .as(all(result))
                .isGreaterThanOrEqualTo(100_000);
        assertThat(Integer.parseInt(figures.group(2))).isGreaterThanOrEqualTo(20);
    }

    /// With what needs nothing but the protocol.
    @Test
    void clusterThatIsThereAlreadyPasses(@TempDir Path directory) {
        assumeTrue(Boolean.getBoolean("ottla.long"), "-Dottla.long=true");
        try (ClusterProcesses nodes = ClusterProcesses.start(3)) {
            ChildProcess.Result result =
                    chaos(directory, List.of(), "--minutes", "1", "--bootstrap", nodes.bootstrap());

            assertThat(result.exitCode()).as(all(result)).isZero();
            assertThat(result.out())
                    .as(all(result))
                    .contains("LEADERS_MOVED", "CLIENT_KILLED")
                    .contains("The run's topics and groups were deleted.");
        }
    }

    @ParameterizedTest
    @EnumSource
    void plantedMistakeIsCaught(PlantedFault fault, @TempDir Path directory) throws IOException {
        assumeTrue(Boolean.getBoolean("ottla.chaos.planted"), "-Dottla.chaos.planted=true");
        Path classes = directory.resolve("classes");
        fault.plant(classes);

        ChildProcess.Result result =
                chaos(
                        directory,
                        List.of("-Dottla.classes=" + classes),
                        fault.provocation().toArray(String[]::new));

        assertThat(result.exitCode()).as(all(result)).isEqualTo(1);
        assertThat(result.out()).contains("\nANOMALY: ");
    }

    private ChildProcess.Result chaos(Path directory, List<String> jvm, String... words) {
        Path root = BrokerCommand.root();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-Dottla.root=" + root));
        command.addAll(jvm);
        command.addAll(List.of("-cp", root.resolve("chaos/target/chaos/lib") + "/*"));
        command.add("dev.ottla.chaos.ChaosCommand");
        command.addAll(List.of(words));
        command.addAll(List.of("--seed", String.valueOf(seed)));
        command.addAll(List.of("--out", directory.resolve("run").toString()));
        return ChildProcess.run(root, Map.of(), DEADLINE, command.toArray(String[]::new));
    }

    private static String all(ChildProcess.Result result) {
        String text = result.out() + result.err();
        System.out.println(text);
        return text.replace("%", "%%");
    }
}
