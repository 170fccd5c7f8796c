package dev.ottla.testing;

/// Seeds of the randomised tests: `-Dottla.seed=N` repeats one run, `-Dottla.long=true` runs on and
/// on.
public final class Seeds {
    private Seeds() {}

    /// What a run does with its seed.
    public interface Run {
        void with(long seed) throws Exception;
    }

    /// Runs with so many fresh seeds; a failure names its seed.
    public static void run(String test, int runs, Run run) {
        String given = System.getProperty("ottla.seed", "");
        long first = given.isEmpty() ? System.nanoTime() : Long.parseLong(given);
        long count =
                given.isEmpty() ? (Boolean.getBoolean("ottla.long") ? Long.MAX_VALUE : runs) : 1;
        for (long i = 0; i < count; i++) {
            long seed = first + i;
            try {
                run.with(seed);
            } catch (Throwable e) {
                throw new AssertionError(test + " fails with -Dottla.seed=" + seed, e);
            }
        }
    }
}
