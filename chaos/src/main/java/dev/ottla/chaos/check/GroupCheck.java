package dev.ottla.chaos.check;

import dev.ottla.chaos.check.Anomaly.Kind;
import dev.ottla.chaos.history.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Owners and committed offsets of one consumer group. Owned by one thread.
///
/// A commit that took long may have been sent twice, the second time on a new connection, and the
/// first of the two may still arrive, from a coordinator that stood still or a network that was
/// cut: the protocol has nothing against that. Such strays explain a lower offset; nothing else
/// does.
final class GroupCheck {
    private final String group;
    private final Findings findings;
    private final Map<String, List<Owner>> owners = new HashMap<>();
    private final Map<String, Commits> commits = new HashMap<>();

    private record Owner(String member, int generation) {}

    private static final class Commits {
        long known = LongList.ABSENT; // acknowledged or found
        long asked = LongList.ABSENT;
        final Set<Long> strays = new HashSet<>();
    }

    /// Where the committed offset must be: from what is known to what was asked for. Both are
    /// [LongList#ABSENT] when nothing was committed.
    record Bounds(long known, long asked, Set<Long> strays) {
        boolean allows(long offset) {
            return offset >= known || strays.contains(offset);
        }
    }

    GroupCheck(String group, Findings findings) {
        this.group = group;
        this.findings = findings;
    }

    void onOwned(long line, Event.Owned event) {
        for (String partition : event.partitions()) {
            List<Owner> present = owners.computeIfAbsent(partition, _ -> new ArrayList<>());
            present.removeIf(owner -> owner.member().equals(event.member()));
            for (Owner owner : present) {
                if (owner.generation() == event.generation()) {
                    add(
                            Kind.TWO_OWNERS,
                            "%s of group %s has the owners %s and %s in generation %d"
                                    .formatted(
                                            partition,
                                            group,
                                            owner.member(),
                                            event.member(),
                                            event.generation()),
                            partition,
                            List.of(),
                            line);
                }
            }
            present.add(new Owner(event.member(), event.generation()));
        }
    }

    void onReleased(Event.Released event) {
        for (String partition : event.partitions()) {
            owners.getOrDefault(partition, new ArrayList<>())
                    .removeIf(owner -> owner.member().equals(event.member()));
        }
    }

    void onMustBeOwned(long line, List<String> partitions) {
        for (String partition : partitions) {
            if (owners.getOrDefault(partition, List.of()).isEmpty()) {
                String text = "nobody in group %s owns %s".formatted(group, partition);
                add(Kind.NO_OWNER, text, partition, List.of(), line);
            }
        }
    }

    void onAsked(Map<String, Long> offsets) {
        offsets.forEach((partition, offset) -> {
            Commits present = commits(partition);
            present.asked = Math.max(present.asked, offset);
        });
    }

    /// @param stray it may arrive once more
    void onAnswered(Map<String, Long> offsets, Event.Answer answer, boolean stray) {
        offsets.forEach((partition, offset) -> {
            Commits present = commits(partition);
            if (answer == Event.Answer.DONE) {
                present.known = Math.max(present.known, offset);
            }
            if (stray || answer == Event.Answer.UNKNOWN) {
                present.strays.add(offset);
            }
        });
    }

    Bounds bounds(String partition) {
        Commits present = commits(partition);
        return new Bounds(present.known, present.asked, present.strays);
    }

    /// All partitions of which something is known to be committed.
    Map<String, Long> known() {
        Map<String, Long> known = new HashMap<>();
        commits.forEach((partition, present) -> {
            if (present.known != LongList.ABSENT) {
                known.put(partition, present.known);
            }
        });
        return known;
    }

    /// @param before what was known when the question was asked
    void onFound(long line, Map<String, Long> found, Map<String, Long> before) {
        before.forEach((partition, known) -> {
            Long now = found.get(partition);
            if (now == null) {
                add(
                        Kind.COMMIT_VANISHED,
                        "group %s had committed %d in %s, and nothing is found there"
                                .formatted(group, known, partition),
                        partition,
                        List.of(known),
                        line);
            } else if (now < known && !commits(partition).strays.contains(now)) {
                wentBack(line, partition, known, now, "is found to have committed");
            }
        });
        found.forEach((partition, now) -> {
            Commits present = commits(partition);
            present.known = Math.max(present.known, now);
        });
    }

    void wentBack(long line, String partition, long known, long now, String how) {
        add(
                Kind.COMMIT_WENT_BACK,
                "group %s had committed %d in %s and %s %d"
                        .formatted(group, known, partition, how, now),
                partition,
                List.of(now, known),
                line);
    }

    private Commits commits(String partition) {
        return commits.computeIfAbsent(partition, _ -> new Commits());
    }

    private void add(Kind kind, String text, String partition, List<Long> offsets, long line) {
        findings.add(
                kind, () -> new Anomaly(kind, text, partition, offsets, List.of(), List.of(line)));
    }
}
