package dev.ottla.chaos.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// The faults of a run, each with a quiet time behind it. Every kind comes once before any comes
/// again. Immutable.
public record Schedule(List<Strike> strikes) {
    /// More than the forty in ten minutes that make a run count, for some may not be possible when
    /// their time comes.
    private static final double FAULTS_OF_A_MINUTE = 4.8;

    private static final int LEAST_FAULTS = 25;
    private static final Duration WARM_UP = Duration.ofSeconds(2);

    public Schedule {
        strikes = List.copyOf(strikes);
    }

    /// What the seed makes of a time.
    ///
    /// @param possible kinds that this machine can play
    public static Schedule of(long seed, Duration time, Set<Fault> possible) {
        Random random = new Random(seed);
        int count =
                Math.max(
                        LEAST_FAULTS,
                        (int) Math.ceil(FAULTS_OF_A_MINUTE * time.toMillis() / 60_000));
        Duration slot = time.minus(WARM_UP).dividedBy(count);
        // In the order of declaration, so that the seed decides.
        List<Fault> kinds =
                List.of(Fault.values()).stream()
                        .filter(fault -> possible.contains(fault) && fault.fits(slot))
                        .toList();
        List<Strike> strikes = new ArrayList<>();
        List<Fault> deck = new ArrayList<>();
        for (int number = 1; number <= count && !kinds.isEmpty(); number++) {
            if (deck.isEmpty()) {
                deck.addAll(kinds);
                Collections.shuffle(deck, random);
            }
            Duration at = WARM_UP.plus(slot.multipliedBy(number - 1));
            long holdMs = (long) (slot.toMillis() * (0.15 + 0.35 * random.nextDouble()));
            strikes.add(
                    new Strike(
                            number,
                            deck.removeLast(),
                            at,
                            Duration.ofMillis(holdMs),
                            Duration.ofMillis(slot.toMillis() * 3 / 4 - holdMs),
                            random.nextLong()));
        }
        return new Schedule(strikes);
    }

    /// How many must have been played for a run of this length to say anything.
    public static int required(Duration time) {
        return (int) Math.max(20, 4 * time.toMinutes());
    }
}
