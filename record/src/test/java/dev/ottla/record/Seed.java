package dev.ottla.record;

import java.util.SplittableRandom;

/// The seed of a randomised test: printed, and taken from `-Dottla.seed` to repeat a run.
record Seed(long value) {
    static Seed next(String test) {
        String given = System.getProperty("ottla.seed", "");
        long value = given.isBlank() ? System.nanoTime() : Long.parseLong(given);
        System.out.println(test + ": -Dottla.seed=" + value);
        return new Seed(value);
    }

    /// The generator of one round, so that a failure names the round and repeats alone.
    SplittableRandom round(int number) {
        return new SplittableRandom(value * 31 + number);
    }
}
