package dev.ottla.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.testing.Seeds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Random histories of one leader against a plain model of what each replica holds.
class LeaderReplicaSeededTest {
    private static final List<Integer> REPLICAS = List.of(1, 2, 3, 4, 5);
    private static final int STEPS = 300;

    @Test
    void everythingBelowTheHighWatermarkIsOnEveryPossibleIsr() {
        Seeds.run("LeaderReplicaSeededTest", 2_000, seed -> new History(seed).run());
    }

    private static final class History {
        private final SplittableRandom random;
        private final long[] safe = new long[REPLICAS.size() + 1];
        private final LeaderReplica leader;
        private Set<Integer> committed = new HashSet<>(Set.of(1));
        private Set<Integer> proposed = Set.of();
        private final int minInSyncReplicas;
        private long highWatermark;

        History(long seed) {
            random = new SplittableRandom(seed);
            minInSyncReplicas = 1 + random.nextInt(3);
            for (int id : REPLICAS) {
                if (random.nextBoolean()) {
                    committed.add(id);
                }
            }
            leader =
                    new LeaderReplica(
                            new LeaderStart(1, 0, REPLICAS, committed, minInSyncReplicas, 0, 0, 0));
            leader.begin(this::advanced);
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                step();
                leader.checkInvariants();
                assertThat(leader.highWatermark()).isEqualTo(highWatermark);
            }
        }

        private void step() {
            switch (random.nextInt(6)) {
                case 0 -> leader.onAppended(leader.logEndOffset() + random.nextInt(5));
                case 1 -> {
                    hold(1);
                    leader.onFlushed(safe[1], this::advanced);
                }
                case 2, 3 -> {
                    int follower = 2 + random.nextInt(REPLICAS.size() - 1);
                    hold(follower);
                    leader.onFollowerFetch(follower, safe[follower], this::advanced);
                }
                case 4 -> propose();
                default -> settle();
            }
        }

        private void hold(int replica) {
            safe[replica] += random.nextLong(leader.logEndOffset() - safe[replica] + 1);
        }

        /// As the shell does it: additions only once the core agrees, removals at will.
        private void propose() {
            if (!proposed.isEmpty()) {
                return;
            }
            Set<Integer> isr = new HashSet<>(Set.of(1));
            for (int id : REPLICAS) {
                if (random.nextBoolean() && (committed.contains(id) || leader.mayJoinIsr(id))) {
                    isr.add(id);
                }
            }
            proposed = isr;
            leader.onIsrProposed(isr);
        }

        private void settle() {
            if (proposed.isEmpty()) {
                return;
            }
            Set<Integer> isr = proposed;
            proposed = Set.of();
            if (random.nextInt(3) == 0) {
                leader.onIsrRejected(this::advanced);
            } else {
                committed = isr;
                leader.onIsrCommitted(isr, this::advanced);
            }
        }

        private void advanced(long newHighWatermark) {
            assertThat(newHighWatermark).isGreaterThan(highWatermark);
            highWatermark = newHighWatermark;
            List<Set<Integer>> possible = new ArrayList<>(List.of(committed));
            if (!proposed.isEmpty()) {
                possible.add(proposed);
            }
            assertThat(committed.size()).isGreaterThanOrEqualTo(minInSyncReplicas);
            for (Set<Integer> isr : possible) {
                for (int id : isr) {
                    assertThat(safe[id]).isGreaterThanOrEqualTo(newHighWatermark);
                }
            }
        }
    }
}
