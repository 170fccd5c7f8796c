package dev.ottla.chaos.history;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/// Reads a history back, line by line.
public final class HistoryFile {
    private HistoryFile() {}

    /// Hands each line to `consumer`, in order. Throws [IllegalArgumentException] when one cannot
    /// be read.
    public static void read(Path file, Consumer<Line> consumer) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            long line = 0;
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                consumer.accept(Lines.read(++line, text));
            }
        }
    }
}
