package dev.ottla.bench.scenario;

import dev.ottla.bench.side.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Makes Linux forget the pages of files.
final class PageCache {
    private PageCache() {}

    /// Writes back and drops the segments of a topic, with `dd`, whose flag `nocache` gives the
    /// advice for a whole file when nothing is copied.
    static void forget(Path dataDir, String topic) throws IOException, InterruptedException {
        ChildProcess.run(List.of("sync"));
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
