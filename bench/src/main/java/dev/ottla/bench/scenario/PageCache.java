package dev.ottla.bench.scenario;

import dev.ottla.bench.side.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// What Linux holds of files in memory.
final class PageCache {
    private PageCache() {}

    /// Has everything written that is not on the disk yet, so that what is measured next does not
    /// wait for it.
    static void writeBack() throws IOException, InterruptedException {
        ChildProcess.run(List.of("sync"));
    }

    /// Writes back and drops the segments of a topic, with `dd`, whose flag `nocache` gives the
    /// advice for a whole file when nothing is copied.
    static void forget(Path dataDir, String topic) throws IOException, InterruptedException {
        writeBack();
        List<Path> segments;
        try (Stream<Path> files = Files.walk(dataDir)) {
            segments =
                    files.filter(file -> file.toString().contains(topic))
                            .filter(file -> file.toString().endsWith(".log"))
                            .toList();
        }
        for (Path segment : segments) {
            ChildProcess.run(List.of("dd", "if=" + segment, "iflag=nocache", "count=0"));
        }
    }
}
