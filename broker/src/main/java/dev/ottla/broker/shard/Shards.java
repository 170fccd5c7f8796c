package dev.ottla.broker.shard;

import dev.ottla.wire.Uuid;
import java.util.List;

/// All shards of this broker, and which of them owns a partition. Immutable.
public final class Shards {
    /// Waiting messages per shard above which network loops stop reading from sockets. A turn takes
    /// what waits, so this much is a shard that is far behind; the loops look again a few
    /// milliseconds later.
    private static final int BACKLOG_LIMIT = 10_000;

    private final List<Shard> shards;

    public Shards(List<Shard> shards) {
        this.shards = List.copyOf(shards);
    }

    /// The shard that owns this partition and everything that lives on it, such as the group
    /// coordinator on a partition of `__consumer_offsets`. The same answer for as long as the
    /// process lives.
    public Shard of(Uuid topicId, int partition) {
        return shards.get(indexOf(topicId, partition));
    }

    /// The index in `all` of the shard that `of` answers.
    public int indexOf(Uuid topicId, int partition) {
        if (shards.size() == 1) {
            return 0;
        }
        int hash = topicId.hashCode() * 31 + partition;
        hash ^= hash >>> 16;
        hash *= 0x9E3779B1;
        return (hash >>> 8) % shards.size();
    }

    public List<Shard> all() {
        return shards;
    }

    public int count() {
        return shards.size();
    }

    /// Any thread: whether some shard is so far behind that no further requests should be read.
    public boolean overloaded() {
        for (int i = 0; i < shards.size(); i++) {
            if (shards.get(i).backlog() > BACKLOG_LIMIT) {
                return true;
            }
        }
        return false;
    }
}
