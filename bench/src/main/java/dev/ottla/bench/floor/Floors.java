package dev.ottla.bench.floor;

import dev.ottla.bench.report.Sample;
import dev.ottla.bench.report.Samples;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;
import org.HdrHistogram.Histogram;

/// Measures the parts that a broker is made of, each alone, on the thread that calls.
public final class Floors {
    private static final String MACHINE = "machine";
    private static final String SEQUENTIAL = "sequential write, synced at the end, MB/s";
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final int SENDFILE_BYTES = 1024 * 1024;
    private static final int SMALL_BYTES = 16 * 1024;
    private static final int SYNCS = 300;
    private static final int WAKE_UPS = 4_000;
    private static final long WAKE_UP_INTERVAL_NS = 1_600_000;

    private final long bytes;
    private final Path file;
    private final Samples samples = new Samples();

    private Floors(Path file, long bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    /// Moves `bytes` in each part; files are made in `directory` and deleted.
    public static Samples measure(Path directory, long bytes)
            throws IOException, InterruptedException {
        Path file = Files.createTempFile(directory, "ottla-floor-", ".log");
        try {
            Floors floors = new Floors(file, bytes);
            floors.loopback();
            floors.checksum();
            floors.append();
            floors.sync();
            floors.sendfile();
            floors.wakeUps();
            return floors.samples;
        } finally {
            Files.delete(file);
        }
    }

    /// Out of what was measured: how fast the disk takes one stream.
    public static double sequentialMegabytesPerSecond(Samples floors) {
        return floors.all().stream()
                .filter(sample -> sample.figure().equals(SEQUENTIAL))
                .mapToDouble(Sample::value)
                .findFirst()
                .orElseThrow();
    }

    private void loopback() throws IOException, InterruptedException {
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        Stopwatch watch = new Stopwatch();
        double receiverCpu =
                overLoopback(socket -> {
                    for (long sent = 0; sent < bytes; sent += CHUNK_BYTES) {
                        chunk.clear();
                        while (chunk.hasRemaining()) socket.write(chunk);
                    }
                });
        report("loopback send, CPU s per GB", watch.cpuSeconds() / gigabytes());
        report("loopback receive, CPU s per GB", receiverCpu / gigabytes());
        report("loopback, MB/s", bytes / 1e6 / watch.seconds());
    }

    private void checksum() {
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        CRC32C crc = new CRC32C();
        Stopwatch watch = new Stopwatch();
        for (long done = 0; done < bytes; done += CHUNK_BYTES) crc.update(chunk.clear());
        report("CRC-32C of 64 KiB in cache, CPU s per GB", watch.cpuSeconds() / gigabytes());
        if (crc.getValue() == 0) throw new IllegalStateException("the checksum was not computed");
    }

    private void append() throws IOException {
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            Stopwatch watch = new Stopwatch();
            for (long done = 0; done < bytes; done += CHUNK_BYTES) channel.write(chunk.clear());
            report("append of 64 KiB, CPU s per GB", watch.cpuSeconds() / gigabytes());
            channel.force(false);
            report(SEQUENTIAL, bytes / 1e6 / watch.seconds());
        }
    }

    private void sync() throws IOException {
        ByteBuffer chunk = ByteBuffer.allocateDirect(SMALL_BYTES);
        Histogram latency = new Histogram(3);
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            for (int i = 0; i < SYNCS; i++) {
                channel.write(chunk.clear());
                long beganNs = System.nanoTime();
                channel.force(false);
                latency.recordValue(System.nanoTime() - beganNs);
            }
        }
        report("fdatasync after 16 KiB, p50 ms", latency.getValueAtPercentile(50) / 1e6);
        report("fdatasync after 16 KiB, p99 ms", latency.getValueAtPercentile(99) / 1e6);
    }

    private void sendfile() throws IOException, InterruptedException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            Stopwatch watch = new Stopwatch();
            overLoopback(socket -> {
                long position = 0;
                while (position < bytes) {
                    long count = Math.min(SENDFILE_BYTES, bytes - position);
                    position += channel.transferTo(position, count, socket);
                }
            });
            report("sendfile of 1 MiB, CPU s per GB", watch.cpuSeconds() / gigabytes());
            report("sendfile, MB/s", bytes / 1e6 / watch.seconds());
        }
    }

    /// How late a thread runs that has nothing to do but to wait for the next 1.6 ms, which is as
    /// often as a generator of 10 MB/s sends 16 KiB: no latency can be told apart from this.
    private void wakeUps() {
        Histogram lateness = new Histogram(3);
        long dueNs = System.nanoTime();
        for (int i = 0; i < WAKE_UPS; i++) {
            dueNs += WAKE_UP_INTERVAL_NS;
            for (long now = System.nanoTime(); now < dueNs; now = System.nanoTime()) {
                LockSupport.parkNanos(dueNs - now);
            }
            lateness.recordValue(System.nanoTime() - dueNs);
        }
        report(
                "a waiting thread wakes up late by, p99 ms",
                lateness.getValueAtPercentile(99) / 1e6);
        report(
                "a waiting thread wakes up late by, p99.9 ms",
                lateness.getValueAtPercentile(99.9) / 1e6);
    }

    /// Gives the CPU seconds of the thread that received.
    private static double overLoopback(Sender sender) throws IOException, InterruptedException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            CompletableFuture<Double> cpuSeconds = new CompletableFuture<>();
            Thread receiver = Thread.ofPlatform().start(() -> cpuSeconds.complete(receive(server)));
            try (SocketChannel socket = SocketChannel.open(server.getLocalAddress())) {
                sender.send(socket);
            }
            receiver.join();
            return cpuSeconds.getNow(Double.NaN);
        }
    }

    private static double receive(ServerSocketChannel server) {
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES * 4);
        try (SocketChannel socket = server.accept()) {
            Stopwatch watch = new Stopwatch();
            while (socket.read(chunk.clear()) >= 0) {
                // The bytes are of no interest.
            }
            return watch.cpuSeconds();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private double gigabytes() {
        return bytes / 1e9;
    }

    private void report(String figure, double value) {
        samples.add(new Sample("floors", figure, MACHINE, 1, value));
        System.out.printf(Locale.ROOT, "  %-46s %12.3f%n", figure, value);
    }

    /// Sends over a connection whose other end reads.
    private interface Sender {
        void send(SocketChannel socket) throws IOException;
    }

    /// Clock and CPU time of this thread since it was made.
    private static final class Stopwatch {
        private final long beganNs = System.nanoTime();
        private final long cpuNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();

        double seconds() {
            return (System.nanoTime() - beganNs) / 1e9;
        }

        double cpuSeconds() {
            return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpuNs) / 1e9;
        }
    }
}
