package dev.ottla.record;

import static dev.ottla.wire.Check.check;

/// The codec a topic wants its batches in (`compression.type`) and its level
/// (`compression.gzip.level` and so on).
public record TopicCompression(Compression codec, int level) {
    public TopicCompression {
        check(codec.acceptsLevel(level), "%s has no level %d", codec, level);
    }

    public TopicCompression(Compression codec) {
        this(codec, codec.defaultLevel());
    }
}
