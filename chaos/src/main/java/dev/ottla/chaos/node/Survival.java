package dev.ottla.chaos.node;

import java.util.random.RandomGenerator;

/// What a power loss leaves of that which was not synced.
enum Survival {
    NOTHING,

    /// As chance has it: a beginning, torn where it ends, or all, or nothing.
    SOME;

    /// How many of the first changes stay.
    int keptOf(int count, RandomGenerator random) {
        return switch (this) {
            case NOTHING -> 0;
            case SOME ->
                    switch (random.nextInt(3)) {
                        case 0 -> 0;
                        case 1 -> count;
                        default -> random.nextInt(count + 1);
                    };
        };
    }
}
