package dev.ottla.wire.generator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The folder of the generated package. A file whose text stays the same keeps its time, so that
/// the compiler has nothing to do when nothing changed.
final class OutputFolder {
    private final Path folder;
    private final Set<Path> written = new HashSet<>();

    OutputFolder(Path root, String packageName) throws IOException {
        folder = Files.createDirectories(root.resolve(packageName.replace('.', '/')));
    }

    void write(String typeName, String text) throws IOException {
        Path file = folder.resolve(typeName + ".java");
        if (!written.add(file)) throw new IllegalArgumentException(typeName + " is there twice");
        if (!Files.exists(file) || !Files.readString(file).equals(text)) {
            Files.writeString(file, text);
        }
    }

    /// Removes what an earlier run left behind.
    void deleteOthers() throws IOException {
        List<Path> files;
        try (Stream<Path> stream = Files.list(folder)) {
            files = stream.toList();
        }
        for (Path file : files) {
            if (!written.contains(file)) Files.delete(file);
        }
    }
}
