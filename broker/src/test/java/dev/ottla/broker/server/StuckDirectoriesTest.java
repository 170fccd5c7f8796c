package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.Batches;
import dev.ottla.log.LogConfig;
import dev.ottla.log.ManualShard;
import dev.ottla.log.PartitionId;
import dev.ottla.log.PartitionLog;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class StuckDirectoriesTest {
    private static final int LIMIT = 3;

    private final ManualShard owner = new ManualShard(new FakeDisk(), Path.of("/data"));
    private final Uuid id = owner.directory.id();
    private final PartitionLog log =
            owner.loaded(new PartitionId(new Uuid(1, 2), "orders", 0), LogConfig.DEFAULTS);
    private OptionalLong turn = OptionalLong.empty();
    private final StuckDirectories stuck =
            new StuckDirectories(
                    Map.of(id, owner.directory), List.of(() -> turn), LIMIT * 1_000, 1_000);

    StuckDirectoriesTest() throws IOException {}

    /// Its sync is left to the lane.
    private void append() {
        log.append(Batches.of(1, "v"), 1, AppendOrigin.CLIENT, owner.nowMs);
        owner.shard.endTurn(owner.nowMs);
    }

    @Test
    void aSyncThatDoesNotEndMakesItsDirectoryStuckUntilItEnds() {
        append();
        for (int look = 0; look < LIMIT; look++) {
            assertThat(stuck.check()).isFalse();
        }
        assertThat(stuck.check()).isTrue();
        assertThat(stuck.ids()).containsExactly(id);
        assertThat(stuck.check()).isFalse();

        owner.settle();

        assertThat(stuck.check()).isTrue();
        assertThat(stuck.ids()).isEmpty();
    }

    @Test
    void syncsThatComeToTheirEndsAreOnlySlow() {
        for (int look = 0; look < 10; look++) {
            append();
            assertThat(stuck.check()).isFalse();
            owner.settle();
        }
    }

    @Test
    void aShardThatHangsMayHangInAnyDirectory() {
        turn = OptionalLong.of(7);
        for (int look = 0; look < LIMIT; look++) {
            assertThat(stuck.check()).isFalse();
        }
        assertThat(stuck.check()).isTrue();
        assertThat(stuck.ids()).containsExactly(id);

        turn = OptionalLong.of(8);

        assertThat(stuck.check()).isTrue();
        assertThat(stuck.ids()).isEmpty();
    }
}
