package dev.ottla.group.consumer;

import java.util.LinkedHashMap;

/// Member ids that were handed out to classic members, who shall join with them. Not persisted: a
/// member whose id is not known any more asks for another. Holds [#MAX_COUNT] ids at most, the
/// newest ones. Owned by the thread that owns the group.
final class ExpectedMembers {
    static final int MAX_COUNT = 10_000;

    private final LinkedHashMap<String, Long> expiryMs = new LinkedHashMap<>();

    void add(String memberId, long expiresMs, long nowMs) {
        expiryMs.values().removeIf(expires -> expires <= nowMs);
        while (expiryMs.size() >= MAX_COUNT) expiryMs.pollFirstEntry();
        expiryMs.put(memberId, expiresMs);
    }

    boolean isExpected(String memberId, long nowMs) {
        return expiryMs.getOrDefault(memberId, Long.MIN_VALUE) > nowMs;
    }

    void remove(String memberId) {
        expiryMs.remove(memberId);
    }
}
