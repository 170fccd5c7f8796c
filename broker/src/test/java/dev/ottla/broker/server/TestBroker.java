package dev.ottla.broker.server;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.FileDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/// A broker in this process on a directory of its own, which goes away with it.
final class TestBroker implements AutoCloseable {
    private final Path directory;
    private final Host host;
    private final Map<String, String> settings;
    private BrokerServer server;

    TestBroker(Map<String, String> settings) {
        this(settings, new FileDisk());
    }

    TestBroker(Map<String, String> settings, Disk disk) {
        host = new Host(disk, InstantSource.system());
        try {
            directory = Files.createTempDirectory("ottla-test");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.settings = new HashMap<>(settings);
        this.settings.putIfAbsent("listeners", "PLAINTEXT://127.0.0.1:0");
        if (!settings.containsKey("log.dir")) {
            this.settings.putIfAbsent("log.dirs", directory.resolve("data").toString());
        }
        this.settings.putIfAbsent("metrics.port", "-1");
        this.settings.putIfAbsent("log.dir.min.free.bytes", "0");
        this.settings.putIfAbsent("log.dir.resume.free.bytes", "0");
        this.settings.putIfAbsent("log.dir.reserve.bytes", "0");
        server = BrokerServer.start(new BrokerSettings(this.settings), host);
    }

    TestBroker() {
        this(Map.of());
    }

    BrokerServer server() {
        return server;
    }

    Path directory() {
        return directory;
    }

    InetSocketAddress address() {
        return server.listeners().getFirst().address();
    }

    String bootstrap() {
        return "127.0.0.1:" + address().getPort();
    }

    void restart() {
        restart(Map.of());
    }

    /// With some settings changed.
    void restart(Map<String, String> changed) {
        restart(changed, () -> {});
    }

    void restart(Map<String, String> changed, Runnable whileStopped) {
        server.close();
        whileStopped.run();
        settings.putAll(changed);
        server = BrokerServer.start(new BrokerSettings(settings), host);
    }

    @Override
    public void close() {
        server.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
