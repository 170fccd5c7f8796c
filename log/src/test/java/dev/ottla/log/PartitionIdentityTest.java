package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A directory is opened for its own topic only.
final class PartitionIdentityTest {
    private static final Path ROOT = Path.of("/data");
    private static final PartitionId ID = new PartitionId(new Uuid(1, 2), "orders", 3);
    private static final PartitionId OTHER = new PartitionId(new Uuid(1, 3), "orders", 3);
    private static final Path FILE = ROOT.resolve("orders-3/partition.metadata");

    private final FakeDisk disk = new FakeDisk();

    private void writeLog(boolean withRecords) throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        log.append(Batches.of(1, "a"), 1, AppendOrigin.CLIENT, owner.nowMs);
        owner.settle();
        if (!withRecords) {
            log.truncateTo(0);
        }
        owner.closeAll(log);
    }

    private LoadOutcome open(PartitionId id) throws IOException {
        return new ManualShard(disk, ROOT).load(id, LogConfig.DEFAULTS, new LogListener() {});
    }

    private static void assertRefused(LoadOutcome outcome, String what) {
        assertThat(outcome).isInstanceOf(LoadOutcome.Failed.class);
        assertThat(((LoadOutcome.Failed) outcome).reason())
                .startsWith(FILE + " " + what)
                .contains("id " + ID.topicId())
                .contains("move " + FILE.getParent() + " away");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gibberish", "version: 0\ntopic_id: short", "version: 1\n", "\0\0x"})
    void gibberishIsRefused(String content) throws IOException {
        writeLog(true);
        DiskIo.replaceText(disk, FILE, content);

        assertRefused(open(ID), "is damaged and names no topic id");
    }

    @Test
    void theIdOfAnotherTopicIsRefused() throws IOException {
        writeLog(true);
        DiskIo.replaceText(disk, FILE, PartitionMetadataFile.format(OTHER.topicId()));

        assertRefused(open(ID), "names topic id " + OTHER.topicId());
    }

    @Test
    void aMissingOrEmptyFileBesideRecordsIsRefused() throws IOException {
        writeLog(true);
        disk.delete(FILE);
        assertRefused(open(ID), "is missing");

        DiskIo.replaceText(disk, FILE, "");
        disk.crash(new Random(1));
        assertRefused(open(ID), "is empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\0\0\0\0", "version: 0\ntopic"})
    void whatACrashLeavesAtCreationIsMadeWhole(String content) throws IOException {
        writeLog(false);
        DiskIo.replaceText(disk, FILE, content);

        assertThat(open(ID)).isInstanceOf(LoadOutcome.Ready.class);
        assertThat(DiskIo.readText(disk, FILE))
                .contains(PartitionMetadataFile.format(ID.topicId()));
    }

    @Test
    void recordsThatWereNeverSyncedBeforeACrashDoNotNeedTheFile() throws IOException {
        writeLog(true);
        disk.delete(FILE);
        disk.delete(ROOT.resolve(".kafka_cleanshutdown"));
        disk.delete(ROOT.resolve("recovery-point-offset-checkpoint"));

        LoadOutcome outcome = open(ID);

        assertThat(outcome).isInstanceOf(LoadOutcome.Ready.class);
        assertThat(((LoadOutcome.Ready) outcome).log().logEndOffset()).isEqualTo(1);
    }

    @Test
    void theFileCanBeWrittenByHand() throws IOException {
        writeLog(true);
        byte[] text =
                ("version: 0\ntopic_id: " + ID.topicId() + "\n").getBytes(StandardCharsets.UTF_8);
        DiskIo.write(disk, FILE, ByteBuffer.wrap(text));

        assertThat(open(ID)).isInstanceOf(LoadOutcome.Ready.class);
    }

    @Test
    void deletingATopicThatCouldNotBeOpenedLeavesRoomForTheNext() throws IOException {
        writeLog(true);
        DiskIo.replaceText(disk, FILE, "gibberish");
        ManualShard owner = new ManualShard(disk, ROOT);
        assertThat(owner.load(ID, LogConfig.DEFAULTS, new LogListener() {}))
                .isInstanceOf(LoadOutcome.Failed.class);

        owner.directory.deleteUnopened(ID);

        assertThat(owner.loaded(OTHER, LogConfig.DEFAULTS).logEndOffset()).isZero();
        assertThat(disk.list(ROOT)).contains("orders-3.unknown-stray").doesNotContain("orders-3");
    }
}
