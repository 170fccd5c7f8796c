package dev.ottla.chaos.fault;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// What `--faults` names.
public enum FaultClass {
    KILL,
    PAUSE,
    PARTITION,
    DISK,
    CLOCK,
    MEMBERSHIP;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<FaultClass> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word().equals(word)).findFirst();
    }
}
