package dev.ottla.log;

import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A log that was closed in order and that nobody has used since: what is known of it without a
/// look at its files, and a way to look at them once, for whoever comes first: the shard that is
/// asked for records, or the lane that looks at one log after the other. Thread-safe: guarded by
/// its monitor, which is held while the log is loaded.
///
/// | from | to | cause |
/// |---|---|---|
/// | resting | loaded | [#load] |
/// | resting | failed | a [#load] that failed |
/// | resting | left alone | [#leave]: it will not be loaded any more |
final class RestingLog {
    private final Facts facts;
    private final Loader loader;
    private LogLoader.@Nullable Loaded loaded;
    private @Nullable IOException failure;
    private boolean left;

    /// What a log had when it was closed.
    ///
    /// @param endOffset exclusive; all of it is durable
    record Facts(Uuid topicId, int segments, long bytes, long startOffset, long endOffset) {}

    /// Opens the log for good.
    interface Loader {
        LogLoader.Loaded load() throws IOException;
    }

    RestingLog(Facts facts, Loader loader) {
        this.facts = facts;
        this.loader = loader;
    }

    Facts facts() {
        return facts;
    }

    /// What the log is, loaded by the first call; empty when it was left alone before. Throws what
    /// the first call threw.
    synchronized Optional<LogLoader.Loaded> load() throws IOException {
        if (failure != null) {
            throw failure;
        }
        if (loaded == null && !left) {
            try {
                loaded = checked(loader.load());
            } catch (IOException e) {
                failure = e;
                throw e;
            } catch (RuntimeException e) {
                failure = new IOException(e.toString(), e);
                throw failure;
            }
        }
        return Optional.ofNullable(loaded);
    }

    /// The log has been answered for already, so it must be what it was said to be.
    private LogLoader.Loaded checked(LogLoader.Loaded found) throws IOException {
        if (found.logStartOffset() != facts.startOffset()
                || found.logEndOffset() != facts.endOffset()) {
            throw new IOException(
                    "it has the offsets %d to %d, but when it was closed it had %d to %d: its files were changed meanwhile. Start the broker again to take them as they are"
                            .formatted(
                                    found.logStartOffset(),
                                    found.logEndOffset() - 1,
                                    facts.startOffset(),
                                    facts.endOffset() - 1));
        }
        return found;
    }

    /// Nobody will load it from now on; false when that has happened already.
    synchronized boolean leave() {
        left |= loaded == null && failure == null;
        return left;
    }
}
