package dev.ottla.metadata.controller;

import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.Uuid;
import java.util.function.Supplier;

/// What every command reads: the state that all appended records add up to, the settings, and where
/// ids come from. Owned by [Controller].
final class Context {
    private final Settings settings;
    private final Supplier<Uuid> ids;
    private ClusterImage image;
    private long nextOffset;

    Context(Settings settings, Supplier<Uuid> ids, ClusterImage image, long nextOffset) {
        this.settings = settings;
        this.ids = ids;
        this.image = image;
        this.nextOffset = nextOffset;
    }

    ClusterImage image() {
        return image;
    }

    Settings settings() {
        return settings;
    }

    Uuid freshId() {
        return ids.get();
    }

    /// The next record gets this offset or a higher one; it grows with every record.
    long nextOffset() {
        return nextOffset;
    }

    void advance(ClusterImage image, long nextOffset) {
        this.image = image;
        this.nextOffset = nextOffset;
    }
}
