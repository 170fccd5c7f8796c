package dev.ottla.log;

import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A log that was closed in order and that nobody has used since: what is known of it without its
/// files, and the ways to open them. Whoever comes first has a look ([LogLook]): the shard that is
/// asked for records, or the lane that visits one log after the other. If the log is not as it was
/// left, the lane opens it at its visit like any other log, and nobody waits for that. Thread-safe:
/// guarded by its monitor, which is held during the look.
///
/// | from | to | cause |
/// |---|---|---|
/// | resting | opened | the look found it as it was left |
/// | resting | waiting for the lane | it did not |
/// | waiting | opened, or failed | the lane's visit |
/// | resting, waiting | left alone | [#leave]; a visit that has begun goes on |
final class RestingLog {
    private static final Logger LOG = LoggerFactory.getLogger(RestingLog.class);

    private final Facts facts;
    private final Loader look;
    private final Loader repair;
    private LogLoader.@Nullable Loaded loaded;
    private @Nullable IOException failure;
    private boolean looked;

    /// Set by the shard, read by the lane: together with the log's [PathLease] it tells whether the
    /// lane begins before or not at all.
    private volatile boolean left;

    /// What a log had when it was closed.
    ///
    /// @param endOffset exclusive; all of it is durable
    record Facts(Uuid topicId, int segments, long bytes, long startOffset, long endOffset) {}

    /// Opens the log for good.
    interface Loader {
        LogLoader.Loaded load() throws IOException;
    }

    /// @param look quick, and without effect when it fails
    /// @param repair whatever it takes
    RestingLog(Facts facts, Loader look, Loader repair) {
        this.facts = facts;
        this.look = look;
        this.repair = repair;
    }

    Facts facts() {
        return facts;
    }

    /// What the log is, if a look tells or somebody has opened it; empty when it waits for the lane
    /// or was left alone. Throws what made it fail.
    synchronized Optional<LogLoader.Loaded> look() throws IOException {
        if (!looked && !left) {
            looked = true;
            try {
                loaded = look.load();
            } catch (IOException | RuntimeException e) {
                LOG.debug("A log waits for the lane.", e);
            }
        }
        if (failure != null) {
            throw failure;
        }
        return Optional.ofNullable(loaded);
    }

    /// Opens it with all that it takes, unless it is open or left alone. On the lane, once; [#look]
    /// tells what came of it.
    void visit() {
        try {
            if (!left && look().isEmpty()) {
                finish(checked(repair.load()), null);
            }
        } catch (IOException e) {
            finish(null, e);
        } catch (RuntimeException e) {
            finish(null, new IOException(e.toString(), e));
        } catch (Error e) {
            finish(null, new IOException(e.toString(), e));
            throw e;
        }
    }

    private synchronized void finish(
            LogLoader.@Nullable Loaded found, @Nullable IOException problem) {
        loaded = found;
        failure = problem;
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

    /// Nobody begins to open it from now on. Does not wait.
    void leave() {
        left = true;
    }
}
