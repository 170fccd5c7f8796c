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

    private static final Map<String, Unit> LAST_WORDS =
            Map.ofEntries(
                    Map.entry("ms", MS),
                    Map.entry("millis", MS),
                    Map.entry("seconds", SECONDS),
                    Map.entry("secs", SECONDS),
                    Map.entry("minutes", MINUTES),
                    Map.entry("hours", HOURS),
                    Map.entry("bytes", BYTES),
                    Map.entry("rate", BYTES_PER_SECOND),
                    Map.entry("second", BYTES_PER_SECOND),
                    Map.entry("ratio", RATIO),
                    Map.entry("factor", RATIO),
                    Map.entry("jitter", RATIO));

    private final String symbol;

    Unit(String symbol) {
        this.symbol = symbol;
    }

    static Unit ofName(String name) {
        return LAST_WORDS.getOrDefault(name.substring(name.lastIndexOf('.') + 1), NONE);
    }

    @Override
    public String toString() {
        return symbol;
    }
}
