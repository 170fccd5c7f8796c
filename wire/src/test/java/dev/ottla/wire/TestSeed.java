package dev.ottla.wire;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// The seed of the randomised tests: `-Dottla.seed`, or a fresh one. It is printed, so that a
/// failure can be repeated.
final class TestSeed {
    private TestSeed() {}

    static long next(String test) {
        String given = System.getProperty("ottla.seed", "");
        long seed = given.isEmpty() ? System.nanoTime() : Long.parseLong(given);
        System.out.println(test + ": -Dottla.seed=" + seed);
        return seed;
    }

    static RandomGenerator random(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    /// The endless forms run this many times as long.
    static int effort() {
        return Boolean.getBoolean("ottla.long") ? 100 : 1;
    }
}
