package dev.ottla.chaos.fault;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// The faults of a run, each with a quiet time behind it. Every kind comes once before any comes
/// again. Immutable.
public record Schedule(List<Strike> strikes) {
    /// Without these a run says little. They come early, so that they are not what a slow machine
    /// has no time for.
    public static final Set<Fault> NEEDED =
            Set.of(
                    Fault.CONTROLLER_KILLED,
                    Fault.NODE_RESTARTED_AT_ONCE,
                    Fault.REASSIGNMENT_TARGET_KILLED);

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
        Deque<Fault> deck = new ArrayDeque<>();
        for (int number = 1; number <= count && !kinds.isEmpty(); number++) {
            if (deck.isEmpty()) {
                deck.addAll(deal(kinds, random));
            }
            Duration at = WARM_UP.plus(slot.multipliedBy(number - 1));
            long holdMs = (long) (slot.toMillis() * (0.15 + 0.35 * random.nextDouble()));
            strikes.add(
                    new Strike(
                            number,
                            deck.remove(),
                            at,
                            Duration.ofMillis(holdMs),
                            Duration.ofMillis(slot.toMillis() * 3 / 4 - holdMs),
                            random.nextLong()));
        }
        return new Schedule(strikes);
    }

    /// In random order, but those that start nodes evenly among the others, which can be played
    /// while a node starts.
    private static List<Fault> deal(List<Fault> kinds, Random random) {
        List<Fault> shuffled = new ArrayList<>(kinds);
        Collections.shuffle(shuffled, random);
        shuffled.sort(Comparator.comparing(fault -> !NEEDED.contains(fault)));
        Deque<Fault> starting = new ArrayDeque<>();
        Deque<Fault> others = new ArrayDeque<>();
        shuffled.forEach(fault -> (fault.startsNodes() ? starting : others).add(fault));
        double share = (double) starting.size() / kinds.size();
        int started = 0;
        List<Fault> dealt = new ArrayList<>();
        while (dealt.size() < kinds.size()) {
            boolean due = share * (dealt.size() + 1) - started >= 0.5;
            if (others.isEmpty() || (due && !starting.isEmpty())) {
                dealt.add(starting.remove());
                started++;
            } else {
                dealt.add(others.remove());
            }
        }
        return dealt;
    }

    /// How many must have been played for a run of this length to say anything.
    public static int required(Duration time) {
        return (int) Math.max(20, 4 * time.toMinutes());
    }
}
