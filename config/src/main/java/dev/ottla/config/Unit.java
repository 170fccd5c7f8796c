package dev.ottla.config;

import java.util.Map;

/// What a number counts. Kafka's names end in it mostly, so it is read off the name unless
/// declared.
public enum Unit {
    NONE(""),
    MS("ms"),
    SECONDS("s"),
    MINUTES("min"),
    HOURS("h"),
    BYTES("bytes"),
    BYTES_PER_SECOND("bytes/s"),
    PER_SECOND("1/s"),
    RATIO("ratio");

    /// Ends of names; the longest that fits decides.
    private static final Map<String, Unit> ENDINGS =
            Map.ofEntries(
                    Map.entry("ms", MS),
                    Map.entry("millis", MS),
                    Map.entry("seconds", SECONDS),
                    Map.entry("secs", SECONDS),
                    Map.entry("minutes", MINUTES),
                    Map.entry("hours", HOURS),
                    Map.entry("bytes", BYTES),
                    Map.entry("buffer.size", BYTES),
                    Map.entry("receive.size", BYTES),
                    Map.entry("throttled.rate", BYTES_PER_SECOND),
                    Map.entry("bytes.per.second", BYTES_PER_SECOND),
                    Map.entry("creation.rate", PER_SECOND),
                    Map.entry("ratio", RATIO),
                    Map.entry("factor", RATIO),
                    Map.entry("replication.factor", NONE),
                    Map.entry("jitter", RATIO));

    private final String symbol;

    Unit(String symbol) {
        this.symbol = symbol;
    }

    static Unit ofName(String name) {
        String longest = "";
        for (String ending : ENDINGS.keySet()) {
            if (ending.length() > longest.length() && name.endsWith("." + ending)) {
                longest = ending;
            }
        }
        return ENDINGS.getOrDefault(longest, NONE);
    }

    @Override
    public String toString() {
        return symbol;
    }
}
