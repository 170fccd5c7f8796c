package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A bug inside one log, or in what hears of it, stops that log and no other.
final class BrokenLogTest {
    private static final Path ROOT = Path.of("/data");
    private static final PartitionId GOOD = new PartitionId(new Uuid(1, 1), "good", 0);
    private static final PartitionId BAD = new PartitionId(new Uuid(1, 2), "bad", 0);

    private final FakeDisk disk = new FakeDisk();
    private final List<String> events = new ArrayList<>();

    private static AppendOutcome append(ManualShard owner, PartitionLog log) {
        return log.append(Batches.of(1, "v"), 1, AppendOrigin.CLIENT, owner.nowMs);
    }

    private class Failing implements LogListener {
        @Override
        public void onOffline(PartitionLog log, String reason) {
            events.add(reason);
        }
    }

    private void assertStopsAlone(LogListener planted) throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog bad = owner.loaded(BAD, LogConfig.DEFAULTS, planted);
        PartitionLog good = owner.loaded(GOOD, LogConfig.DEFAULTS);
        append(owner, bad);
        append(owner, good);

        owner.settle();

        assertThat(good.flushedEndOffset()).isEqualTo(1);
        assertThat(events).singleElement().asString().contains("bad-0").contains("planted");
        assertThat(bad.offlineReason()).isPresent();
        assertThat(owner.directory.offlineReason()).isEmpty();
        assertThat(append(owner, bad)).isInstanceOf(AppendOutcome.Offline.class);
        assertThat(bad.read(0, 100, 1, true)).isInstanceOf(ReadOutcome.Offline.class);
        append(owner, good);
        owner.settle();
        owner.closeAll(bad, good);

        ManualShard next = new ManualShard(disk, ROOT);
        assertThat(next.directory.wasClean()).isFalse();
        assertThat(next.loaded(BAD, LogConfig.DEFAULTS).logEndOffset()).isEqualTo(1);
        assertThat(next.loaded(GOOD, LogConfig.DEFAULTS).logEndOffset()).isEqualTo(2);
    }

    @Test
    void aFailureWhenRecordsAreWrittenStopsOneLog() throws IOException {
        assertStopsAlone(
                new Failing() {
                    @Override
                    public void onWritten(PartitionLog log, long writtenEndOffset) {
                        throw new IllegalStateException("planted");
                    }
                });
    }

    @Test
    void aFailureWhenRecordsAreFlushedStopsOneLog() throws IOException {
        assertStopsAlone(
                new Failing() {
                    @Override
                    public void onFlushed(PartitionLog log, long flushedEndOffset) {
                        throw new IllegalStateException("planted");
                    }
                });
    }
}
