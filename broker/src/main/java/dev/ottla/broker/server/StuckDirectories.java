package dev.ottla.broker.server;

import dev.ottla.log.DataDirectory;
import dev.ottla.wire.Uuid;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Notices data directories in which a write or a sync does not come to its end: their disk hangs.
/// A follower there lags and leaves the ISR; this lets a leader go after the same time, and its
/// directory count as one without room (docs/decisions/0028). A shard that hangs may hang in any
/// directory. Time is counted in looks, so that a pause of the process is no evidence. Owned by the
/// upkeep thread.
final class StuckDirectories {
    private static final Logger LOG = LoggerFactory.getLogger(StuckDirectories.class);

    private final Map<Uuid, Watched> syncs = new LinkedHashMap<>();
    private final Map<Uuid, DataDirectory> directories;
    private final List<Watched> shards;
    private final long limitMs;
    private final int mostLooks;
    private Set<Uuid> ids = Set.of();

    /// Something that is under way, or not.
    private static final class Watched {
        private final Supplier<OptionalLong> pulse;
        private OptionalLong seen = OptionalLong.empty();
        private int looks;

        Watched(Supplier<OptionalLong> pulse) {
            this.pulse = pulse;
        }

        /// Whether the same is under way as in so many looks before.
        boolean isStuck(int mostLooks) {
            OptionalLong now = pulse.get();
            looks = now.isPresent() && now.equals(seen) ? Math.min(looks + 1, mostLooks) : 0;
            seen = now;
            return looks >= mostLooks;
        }
    }

    /// @param shards what each is at: a number that changes when it comes to its end
    /// @param limitMs how long it may take
    /// @param lookMs how often [#check] is called
    StuckDirectories(
            Map<Uuid, DataDirectory> directories,
            List<Supplier<OptionalLong>> shards,
            long limitMs,
            long lookMs) {
        this.directories = directories;
        this.shards = shards.stream().map(Watched::new).toList();
        this.limitMs = limitMs;
        this.mostLooks = Math.clamp(limitMs / lookMs, 1, Integer.MAX_VALUE);
        directories.forEach((id, directory) -> syncs.put(id, new Watched(directory::syncPulse)));
    }

    /// Those found stuck at the last look.
    Set<Uuid> ids() {
        return ids;
    }

    /// Looks. Returns whether others are stuck than before.
    boolean check() {
        boolean shardStuck = false;
        for (Watched shard : shards) {
            shardStuck |= shard.isStuck(mostLooks);
        }
        Set<Uuid> now = new HashSet<>(shardStuck ? directories.keySet() : Set.of());
        syncs.forEach((id, sync) -> {
            if (sync.isStuck(mostLooks)) now.add(id);
        });
        if (now.equals(ids)) return false;
        directories.forEach((id, directory) -> {
            if (now.contains(id) && !ids.contains(id)) {
                LOG.error(
                        "Data directory {} has not come to the end of a write for {} ms: replicas in it give way to those of other brokers.",
                        directory,
                        limitMs);
            } else if (ids.contains(id) && !now.contains(id)) {
                LOG.info("Data directory {} is written to again.", directory);
            }
        });
        ids = now;
        return true;
    }
}
