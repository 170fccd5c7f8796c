package dev.ottla.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ottla.testkit.ChildProcess;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Kafka's command line tools in a JVM of their own that runs one after the other: a JVM for each
/// would take minutes. As a parameter of a test it is the same one for all. Thread-safe: one
/// command at a time.
final class KafkaTools implements AutoCloseable {
    private static final String PACKAGE = "org.apache.kafka.tools.";

    private final Process process;
    private final DataOutputStream commands;
    private final DataInputStream results;

    private KafkaTools(Process process) {
        this.process = process;
        this.commands = new DataOutputStream(process.getOutputStream());
        this.results = new DataInputStream(process.getInputStream());
    }

    /// What a tool printed and how it ended.
    record Result(int exitCode, String out, String err) {
        String all() {
            return out + err;
        }
    }

    static KafkaTools start() {
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(JavaProcess.command(KafkaToolsMain.class.getName()));
            builder.redirectError(Path.of("target", "kafka-tools.err").toFile());
            Process process = builder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            return new KafkaTools(process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Runs a tool that does its last work when its JVM ends, in a JVM of its own.
    static Result runAlone(String tool, String... arguments) {
        List<String> command = new ArrayList<>(JavaProcess.command(PACKAGE + tool));
        command.addAll(Arrays.asList(arguments));
        ChildProcess.Result result =
                ChildProcess.run(
                        Path.of("."),
                        Map.of(),
                        Duration.ofMinutes(1),
                        command.toArray(String[]::new));
        return new Result(result.exitCode(), result.out(), result.err());
    }

    /// Runs a tool, named by its class below `org.apache.kafka.tools`, without input.
    Result run(String tool, String... arguments) {
        return runWithInput("", tool, arguments);
    }

    synchronized Result runWithInput(String input, String tool, String... arguments) {
        try {
            commands.writeUTF(PACKAGE + tool);
            commands.writeInt(arguments.length);
            for (String argument : arguments) {
                commands.writeUTF(argument);
            }
            write(input);
            commands.flush();
            int exitCode = results.readInt();
            return new Result(exitCode, read(), read());
        } catch (IOException e) {
            throw new UncheckedIOException("the JVM of the tools ended", e);
        }
    }

    private void write(String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        commands.writeInt(bytes.length);
        commands.write(bytes);
    }

    private String read() throws IOException {
        byte[] bytes = new byte[results.readInt()];
        results.readFully(bytes);
        return new String(bytes, UTF_8);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Gives the tools to tests that want them.
    static final class Resolver implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == KafkaTools.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(KafkaTools.class))
                    .computeIfAbsent("tools", key -> KafkaTools.start(), KafkaTools.class);
        }
    }
}
