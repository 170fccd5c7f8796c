package dev.ottla.chaos.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.chaos.history.RecordValue;
import dev.ottla.record.BatchBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReplicaDamageTest {
    private static final String NAME = "synced-3";
    private static final String LAST = "00000000000000000012.log";
    private static final int ROUNDS = 200;

    @TempDir private Path data;
    private Path partition;

    /// Where the batch begins that is behind the recovery point.
    private int unsafe;

    @BeforeEach
    void writeReplica() throws IOException {
        partition = Files.createDirectories(data.resolve(NAME));
        byte[] first = batch(12);
        byte[] second = batch(13);
        unsafe = first.length;
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        Files.write(partition.resolve("00000000000000000010.log"), batch(10));
        Files.write(partition.resolve(LAST), both);
        Files.write(partition.resolve("00000000000000000012.index"), new byte[16]);
        Files.writeString(partition.resolve("partition.metadata"), "version: 0\ntopic_id: abc");
        Files.writeString(
                data.resolve("recovery-point-offset-checkpoint"),
                "0\n2\nother 3 99\nsynced 3 13\n");
    }

    @Test
    void afterAKillBitsFlipOnlyWhereTheyAreNoticed() throws IOException {
        Map<String, byte[]> before = files();
        boolean hitRecords = false;
        for (int seed = 0; seed < ROUNDS; seed++) {
            writeReplica();

            new ReplicaDamage(data, false, new Random(seed)).flipBits(NAME);

            Map<String, byte[]> after = files();
            List<String> changed = changed(before, after);
            assertThat(changed).as("seed %d", seed).hasSize(1);
            if (changed.getFirst().equals(LAST)) {
                hitRecords = true;
                assertThat(Arrays.mismatch(before.get(LAST), after.get(LAST)))
                        .as("seed %d", seed)
                        .isGreaterThanOrEqualTo(unsafe);
            }
        }
        assertThat(hitRecords).isTrue();
    }

    @Test
    void afterAStopInOrderNoBitOfARecordFlips() throws IOException {
        byte[] before = Files.readAllBytes(partition.resolve(LAST));
        for (int seed = 0; seed < ROUNDS; seed++) {
            new ReplicaDamage(data, true, new Random(seed)).flipBits(NAME);
        }

        assertThat(partition.resolve(LAST)).hasBinaryContent(before);
    }

    @Test
    void afterAKillTheLastSegmentAloneIsRolledBack() throws IOException {
        Map<String, byte[]> before = files();
        for (int seed = 0; seed < ROUNDS; seed++) {
            writeReplica();

            new ReplicaDamage(data, false, new Random(seed)).rollBack(NAME);

            Map<String, byte[]> after = files();
            assertThat(changed(before, after)).as("seed %d", seed).containsExactly(LAST);
            assertThat(before.get(LAST)).startsWith(after.get(LAST));
        }
    }

    @Test
    void emptiedReplicaIsGoneAndTheOthersAreNot() throws IOException {
        Path other = Files.createDirectories(data.resolve("synced-4"));
        ReplicaDamage damage = new ReplicaDamage(data, false, new Random(1));

        assertThat(damage.withRecords(List.of("synced-2", NAME, "synced-4"))).containsExactly(NAME);
        damage.empty(NAME);

        assertThat(partition).doesNotExist();
        assertThat(other).exists();
    }

    private static List<String> changed(Map<String, byte[]> before, Map<String, byte[]> after) {
        assertThat(after.keySet()).isEqualTo(before.keySet());
        return before.keySet().stream()
                .filter(name -> !Arrays.equals(before.get(name), after.get(name)))
                .toList();
    }

    private Map<String, byte[]> files() throws IOException {
        Map<String, byte[]> contents = new HashMap<>();
        try (Stream<Path> files = Files.list(partition)) {
            for (Path file : files.toList()) {
                contents.put(String.valueOf(file.getFileName()), Files.readAllBytes(file));
            }
        }
        return contents;
    }

    private static byte[] batch(long offset) {
        BatchBuilder builder = new BatchBuilder().baseOffset(offset).leaderEpoch(1);
        builder.append(0, null, ByteBuffer.wrap(new RecordValue(1, offset).bytes()));
        ByteBuffer bytes = builder.build();
        byte[] array = new byte[bytes.remaining()];
        bytes.get(array);
        return array;
    }
}
