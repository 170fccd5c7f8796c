package dev.ottla.record;

import java.util.Locale;
import java.util.Optional;

/// The codec of a batch's records: the lowest three bits of the batch attributes.
public enum Compression {
    NONE(0, 0, 0, 0),
    GZIP(1, 1, 9, -1),
    SNAPPY(2, 0, 0, 0),
    LZ4(3, 1, 17, 9),
    ZSTD(4, -131072, 22, 3);

    static final int MASK = 0x07;

    private static final Compression[] BY_ID = values();

    private final int id;
    private final int minLevel;
    private final int maxLevel;
    private final int defaultLevel;

    Compression(int id, int minLevel, int maxLevel, int defaultLevel) {
        this.id = id;
        this.minLevel = minLevel;
        this.maxLevel = maxLevel;
        this.defaultLevel = defaultLevel;
    }

    /// Number in the batch attributes.
    public int id() {
        return id;
    }

    /// Name in configurations (`compression.type`) and metrics.
    public String configName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Lowest level, inclusive; only [#GZIP], [#LZ4] and [#ZSTD] have levels.
    public int minLevel() {
        return minLevel;
    }

    /// Highest level, inclusive.
    public int maxLevel() {
        return maxLevel;
    }

    /// Level when none is configured. Gzip's -1 stands for the library's own choice and lies
    /// outside the range.
    public int defaultLevel() {
        return defaultLevel;
    }

    /// Whether a level may be given to the codec.
    public boolean acceptsLevel(int level) {
        return level == defaultLevel || (level >= minLevel && level <= maxLevel);
    }

    /// Empty for the ids 5, 6 and 7, which no codec has.
    public static Optional<Compression> forId(int id) {
        return id >= 0 && id < BY_ID.length ? Optional.of(BY_ID[id]) : Optional.empty();
    }

    /// Reads `compression.type`; empty for `producer` and for unknown names.
    public static Optional<Compression> forConfigName(String name) {
        for (Compression compression : BY_ID) {
            if (compression.configName().equals(name)) {
                return Optional.of(compression);
            }
        }
        return Optional.empty();
    }
}
