package dev.ottla.metadata;

/// Levels of a feature that a broker can work with, both ends inclusive. Level 0 means "off".
public record VersionRange(short lowest, short highest) {
    public VersionRange {
        if (lowest < 0 || highest < lowest) {
            throw new IllegalArgumentException("levels " + lowest + " to " + highest);
        }
    }

    public static VersionRange of(int lowest, int highest) {
        return new VersionRange((short) lowest, (short) highest);
    }

    public boolean contains(int level) {
        return level >= lowest && level <= highest;
    }

    @Override
    public String toString() {
        return lowest + "-" + highest;
    }
}
