package dev.ottla.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ottla.testkit.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/// Clients that are not Java, each with its own cases in its own language. A script prints a line
/// for each case, `PASS name …` or `FAIL name reason`, and at last `DONE` with their number; every
/// line becomes a test here.
@ExtendWith(SharedBroker.class)
@Order(1)
class ForeignClientsTest {
    private static final Path SOURCES = Path.of("src", "test").toAbsolutePath();
    private static final Duration SCRIPT_DEADLINE = Duration.ofMinutes(4);
    private static final Duration INSTALL_DEADLINE = Duration.ofMinutes(3);

    @TestFactory
    Stream<DynamicTest> kcat(Clients clients) {
        requireTool("the package kcat", "kcat", "-V");
        return run(clients, SOURCES.resolve("shell"), "bash", "kcat_cases.sh");
    }

    @TestFactory
    Stream<DynamicTest> confluentKafka(Clients clients) {
        requireTool(
                "the package python3-confluent-kafka",
                "/usr/bin/python3",
                "-c",
                "import confluent_kafka");
        return run(
                clients, SOURCES.resolve("python"), "/usr/bin/python3", "-B", "confluent_cases.py");
    }

    @TestFactory
    Stream<DynamicTest> kafkaPython(Clients clients) {
        requireTool("the package python3-kafka", "/usr/bin/python3", "-c", "import kafka");
        return run(
                clients,
                SOURCES.resolve("python"),
                "/usr/bin/python3",
                "-B",
                "kafka_python_cases.py");
    }

    @TestFactory
    Stream<DynamicTest> kafkajs(Clients clients) throws IOException {
        return run(clients, installNodeClients(), "node", "kafkajs_cases.mjs");
    }

    @TestFactory
    Stream<DynamicTest> platformatic(Clients clients) throws IOException {
        return run(clients, installNodeClients(), "node", "platformatic_cases.mjs");
    }

    private static Stream<DynamicTest> run(Clients clients, Path directory, String... command) {
        ChildProcess.Result result =
                ChildProcess.run(
                        directory,
                        Map.of("BOOTSTRAP", clients.bootstrap()),
                        SCRIPT_DEADLINE,
                        command);
        List<DynamicTest> tests = new ArrayList<>();
        String done = "";
        for (String line : result.out().lines().toList()) {
            List<String> words = List.of(line.split(" ", 3));
            switch (words.getFirst()) {
                case "PASS" -> tests.add(DynamicTest.dynamicTest(words.get(1), () -> {}));
                case "FAIL" ->
                        tests.add(
                                DynamicTest.dynamicTest(
                                        words.get(1),
                                        () -> Assertions.fail(line + "\n" + result.err())));
                case "DONE" -> done = line;
                default -> {}
            }
        }
        String closing = done;
        String expected = "DONE " + tests.size();
        tests.add(
                DynamicTest.dynamicTest(
                        "all cases ran",
                        () -> Assertions.assertEquals(expected, closing, result.toString())));
        return tests.stream();
    }

    /// A copy of the Node sources with their dependencies under target, as the lock file names
    /// them.
    private static Path installNodeClients() throws IOException {
        requireTool("the package nodejs", "node", "--version");
        requireTool("the package npm", "npm", "--version");
        Path target = Files.createDirectories(Path.of("target", "node").toAbsolutePath());
        try (Stream<Path> files = Files.list(SOURCES.resolve("node"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(
                        file,
                        target.resolve(file.getFileName()),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Path installed = target.resolve("node_modules/.installed");
        String lock = Files.readString(target.resolve("package-lock.json"));
        if (!Files.exists(installed) || !Files.readString(installed).equals(lock)) {
            ChildProcess.Result result =
                    ChildProcess.run(
                            target,
                            Map.of(),
                            INSTALL_DEADLINE,
                            "npm",
                            "ci",
                            "--prefer-offline",
                            "--no-audit",
                            "--no-fund");
            Assertions.assertEquals(
                    0, result.exitCode(), "npm ci failed, is its registry in reach? " + result);
            Files.write(installed, lock.getBytes(UTF_8));
        }
        return target;
    }

    private static void requireTool(String what, String... command) {
        int exitCode;
        try {
            exitCode =
                    ChildProcess.run(Path.of("."), Map.of(), Duration.ofSeconds(30), command)
                            .exitCode();
        } catch (IllegalStateException e) {
            exitCode = -1;
        }
        if (exitCode != 0) {
            Assertions.fail(
                    "This test needs "
                            + what
                            + ", which is not installed: on Debian, apt-get install it, as .ci/run does.");
        }
    }
}
