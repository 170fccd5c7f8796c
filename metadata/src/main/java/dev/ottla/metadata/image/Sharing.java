package dev.ottla.metadata.image;

import dev.ottla.metadata.BrokerIds;
import dev.ottla.wire.Uuid;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Gives one object for all equal lists, so that a million partitions share the few distinct ones.
/// Lives as long as one delta, and forgets everything when it has seen too many distinct lists.
final class Sharing {
    private static final int MAX_DISTINCT = 100_000;

    private final Map<BrokerIds, BrokerIds> ids = new HashMap<>();
    private final Map<List<Uuid>, List<Uuid>> directories = new HashMap<>();

    BrokerIds ids(BrokerIds list) {
        if (ids.size() >= MAX_DISTINCT) ids.clear();
        BrokerIds known = ids.putIfAbsent(list, list);
        return known == null ? list : known;
    }

    List<Uuid> directories(List<Uuid> list) {
        if (directories.size() >= MAX_DISTINCT) directories.clear();
        List<Uuid> known = directories.putIfAbsent(list, list);
        return known == null ? list : known;
    }
}
