package dev.ottla.metadata.liveness;

import java.util.List;

/// What is to be done now.
///
/// @param looks that are to be taken
/// @param verdicts on brokers that are to be fenced; each comes again until the image says that it
///   was carried out
public record Turn(List<Look> looks, List<Verdict> verdicts) {
    static final Turn NOTHING = new Turn(List.of(), List.of());

    public Turn {
        looks = List.copyOf(looks);
        verdicts = List.copyOf(verdicts);
    }
}
