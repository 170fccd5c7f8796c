package dev.ottla.broker.shard;

import dev.ottla.wire.Uuid;
import java.util.List;

/// All shards of this broker, and which of them owns a partition. Immutable.
public final class Shards {
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

    /// Any thread: whether some shard has more than `limit` requests waiting, so that no further
    /// ones should be read. A turn takes all that waits, so this much is a shard that is far
    /// behind.
    public boolean overloaded(int limit) {
        for (int i = 0; i < shards.size(); i++) {
            if (shards.get(i).backlog() > limit) {
                return true;
            }
        }
        return false;
    }
}
