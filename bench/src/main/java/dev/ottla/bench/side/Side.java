package dev.ottla.bench.side;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// One of the two brokers that are compared: how to prepare and start it.
public sealed interface Side permits Ottla, Kafka {
    /// As it stands in tables and raw data.
    String name();

    /// What has to happen once before the first start on `dataDir`; not part of a start's time.
    void prepare(Path dataDir, Member member) throws IOException, InterruptedException;

    /// The command that starts the broker on `dataDir`, listening on its loopback port.
    List<String> command(Path dataDir, Member member);

    /// Topic configuration under which an acknowledgement waits for that durability.
    Map<String, String> topicConfig(Durability durability);

    /// The settings of this side in one sentence, for the head of the table.
    String settings();

    /// What an acknowledged record has reached.
    enum Durability {
        PAGE_CACHE("page cache"),
        FSYNC("fsync");

        private final String title;

        Durability(String title) {
            this.title = title;
        }

        public String title() {
            return title;
        }
    }
}
