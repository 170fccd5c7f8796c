package dev.ottla.broker.fetch;

import dev.ottla.broker.fetch.FetchTarget.SessionKey;
import dev.ottla.broker.fetch.FetchTarget.Told;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// What one client reads and was last told (KIP-227). Owned by its loop.
///
/// Partitions that had records go to the back, so that a client with more to read than fits into an
/// answer gets them all in turn.
final class FetchSession {
    private static final class Known {
        FetchTarget target;
        Told told = Told.NOTHING;

        Known(FetchTarget target) {
            this.target = target;
        }
    }

    private final int id;
    private final boolean usesTopicIds;
    private final LinkedHashMap<SessionKey, Known> partitions = new LinkedHashMap<>();
    private final LongSupplier nanoClock;
    private int epoch = 1;
    private long answeredNs;
    long lastUsedNs;

    FetchSession(int id, boolean usesTopicIds, List<FetchPart> parts, LongSupplier nanoClock) {
        this.id = id;
        this.usesTopicIds = usesTopicIds;
        this.nanoClock = nanoClock;
        answeredNs = nanoClock.getAsLong();
        lastUsedNs = answeredNs;
        for (FetchPart part : parts) {
            Known known = new Known(part.target());
            tell(known, part);
            partitions.put(part.target().sessionKey(), known);
        }
    }

    int id() {
        return id;
    }

    boolean usesTopicIds() {
        return usesTopicIds;
    }

    /// The epoch that the next request must have.
    int epoch() {
        return epoch;
    }

    int size() {
        return partitions.size();
    }

    /// The epoch counts up and passes by 0, which stands for a new session.
    void nextEpoch() {
        epoch = epoch == Integer.MAX_VALUE ? 1 : epoch + 1;
    }

    /// When the last answer was made; the first one makes the session.
    long answeredNs() {
        return answeredNs;
    }

    void update(List<FetchTarget> changed, List<SessionKey> forgotten) {
        for (FetchTarget target : changed) {
            Known known = partitions.get(target.sessionKey());
            if (known == null) {
                partitions.put(target.sessionKey(), new Known(target));
            } else {
                known.target = target;
            }
        }
        forgotten.forEach(partitions::remove);
    }

    List<FetchTarget> targets() {
        List<FetchTarget> targets = new ArrayList<>(partitions.size());
        for (Map.Entry<SessionKey, Known> entry : partitions.entrySet()) {
            targets.add(entry.getValue().target);
        }
        return targets;
    }

    /// What the client was last told.
    Told told(FetchTarget target) {
        Known known = partitions.get(target.sessionKey());
        return known == null ? Told.NOTHING : known.told;
    }

    /// The parts that say something new, for an answer that is made now; the rest holds no records.
    List<FetchPart> changes(List<FetchPart> parts) {
        answeredNs = nanoClock.getAsLong();
        List<FetchPart> changes = new ArrayList<>(Math.min(parts.size(), 16));
        for (FetchPart part : parts) {
            SessionKey key = part.target().sessionKey();
            Known known = partitions.get(key);
            if (known == null || tell(known, part)) {
                changes.add(part);
            }
            if (known != null && part.records().sizeBytes() > 0) {
                partitions.putLast(key, known);
            }
        }
        return changes;
    }

    /// Remembers what the client is told of a partition; returns whether that is news. After an
    /// error everything is told again.
    private static boolean tell(Known known, FetchPart part) {
        boolean news =
                part.records().sizeBytes() > 0
                        || part.mustBeAnswered()
                        || known.told.highWatermark() != part.highWatermark()
                        || known.told.logStartOffset() != part.logStartOffset();
        if (news) {
            known.told = new Told(part.highWatermark(), part.logStartOffset());
        }
        return news;
    }
}
