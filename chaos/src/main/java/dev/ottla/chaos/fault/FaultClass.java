package dev.ottla.chaos.fault;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// What `--faults` names, besides single kinds.
public enum FaultClass {
    KILL("processes killed: one, the leader, the controller, a coordinator, all; restarts"),
    PAUSE("processes that stand still"),
    PARTITION("networks cut between nodes or from clients, and slow ones (needs root)"),
    DISK("disks that are full (needs root), slow, fail, lose what was not synced, or are lost"),
    DAMAGE("files of one node that are not as it left them"),
    CLOCK("clocks of producers or of a node that are wrong"),
    MEMBERSHIP("partitions moved and nodes added and taken out under load"),
    CLIENT("clients that are killed, stand still, are slow or send what is no request");

    private final String meaning;

    FaultClass(String meaning) {
        this.meaning = meaning;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// For those who ask for help.
    public String meaning() {
        return meaning;
    }

    public Set<Fault> faults() {
        Set<Fault> faults = EnumSet.noneOf(Fault.class);
        Arrays.stream(Fault.values())
                .filter(fault -> fault.faultClass() == this)
                .forEach(faults::add);
        return faults;
    }

    /// What a word of `--faults` names: a class or a single kind; empty when nothing.
    public static Optional<Set<Fault>> named(String word) {
        Optional<Set<Fault>> whole =
                Arrays.stream(values())
                        .filter(each -> each.word().equals(word))
                        .findFirst()
                        .map(FaultClass::faults);
        return whole.or(() ->
                Arrays.stream(Fault.values())
                        .filter(each -> each.word().equals(word))
                        .findFirst()
                        .map(Set::of));
    }

    /// The fewest words that name these kinds.
    public static List<String> words(Set<Fault> faults) {
        List<String> words = new ArrayList<>();
        for (FaultClass each : values()) {
            if (faults.containsAll(each.faults())) {
                words.add(each.word());
            } else {
                each.faults().stream()
                        .filter(faults::contains)
                        .map(Fault::word)
                        .forEach(words::add);
            }
        }
        return words;
    }
}
