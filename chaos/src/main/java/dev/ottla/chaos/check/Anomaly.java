package dev.ottla.chaos.check;

import java.util.List;

/// Something that a cluster that keeps its promises does not do.
///
/// @param partition in which it happened; empty when in none
/// @param offsets in that partition
/// @param values that are concerned, as they stand in the history
/// @param lines of the history that show it, as far as the check knows them
public record Anomaly(
        Kind kind,
        String text,
        String partition,
        List<Long> offsets,
        List<String> values,
        List<Long> lines) {
    public Anomaly {
        offsets = List.copyOf(offsets);
        values = List.copyOf(values);
        lines = List.copyOf(lines);
    }

    static Anomaly of(Kind kind, String text, long line) {
        return new Anomaly(kind, text, "", List.of(), List.of(), List.of(line));
    }

    public enum Kind {
        ACKNOWLEDGED_WRITE_LOST("An acknowledged write is lost"),
        READ_RECORD_LOST("A record that was read is lost"),
        TWO_VALUES("One offset has two values"),
        DUPLICATE("A record is stored twice"),
        REAL_TIME_ORDER("A write stands before one that was acknowledged before it was sent"),
        PRODUCER_ORDER("A producer's writes are not in their order"),
        NOBODYS_RECORD("A record is stored that nobody wrote there"),
        REFUSED_WRITE_STORED("A refused write is stored"),
        HIGH_WATERMARK_WENT_BACK("A high watermark went back"),
        LOG_START_WENT_BACK("A log start offset went back"),
        REPLICAS_DIFFER("Replicas differ"),
        READER_SKIPPED("A reader passed over records"),
        READER_WENT_BACK("A reader was given records a second time"),
        TWO_OWNERS("A partition has two owners in one generation"),
        NO_OWNER("A partition has no owner"),
        COMMIT_WENT_BACK("A committed offset went back"),
        COMMIT_VANISHED("A committed offset vanished"),
        TOPIC_LOST("A created topic is lost"),
        TOPIC_CAME_BACK("A deleted topic came back"),
        CONFIGURATION_LOST("A setting is lost"),
        MALFORMED_REQUEST_IGNORED(
                "A malformed request is not answered and its connection not closed"),
        NODE_DIED("A node ended by itself"),
        DID_NOT_HEAL("The cluster did not heal");

        private final String title;

        Kind(String title) {
            this.title = title;
        }

        public String title() {
            return title;
        }
    }
}
