package dev.ottla.chaos.history;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/// The file to which a run's events are added as they happen. Thread-safe: one lock, which gives
/// events their order; nothing waits for the disk but now and then a full buffer.
public final class History implements EventLog, AutoCloseable {
    private static final int BUFFER_CHARACTERS = 1 << 16;

    private final LongSupplier clockMs;
    private final BufferedWriter writer;
    private boolean closed;

    /// @param clockMs milliseconds since the run began, never going back
    public History(Path file, LongSupplier clockMs) throws IOException {
        this.clockMs = clockMs;
        writer = new BufferedWriter(Files.newBufferedWriter(file), BUFFER_CHARACTERS);
    }

    /// Adds an event. After the end of the run it is dropped: a client that is closed may still
    /// have something to say.
    @Override
    public synchronized void add(Event event) {
        if (closed) {
            return;
        }
        try {
            writer.write(Lines.write(clockMs.getAsLong(), event));
            writer.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException("the history cannot be written", e);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        writer.close();
    }
}
