package dev.ottla.chaos.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.RecordValue;
import dev.ottla.chaos.history.Span;
import dev.ottla.record.BatchBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReplicaFilesTest {
    @Test
    void segmentsAreReadInOrderWithTheStartOfTheLog(@TempDir Path data) throws IOException {
        Path partition = Files.createDirectories(data.resolve("synced-3"));
        write(partition.resolve("00000000000000000010.log"), batch(10, 4, 5));
        write(partition.resolve("00000000000000000012.log"), batch(12, 6));
        Files.writeString(
                data.resolve("log-start-offset-checkpoint"), "0\n2\nsynced 3 11\nsynced 4 99\n");
        List<Event> events = new ArrayList<>();

        ReplicaFiles replica = ReplicaFiles.of(2, data, "synced-3", "synced-3");
        Event.Replica description = replica.describe(13);
        replica.store(events::add);

        assertThat(description)
                .isEqualTo(new Event.Replica(2, "synced-3", 11, 13, 13, partition.toString()));
        assertThat(events).hasSize(1);
        assertThat(((Event.Stored) events.getFirst()).batches())
                .extracting(Event.Batch::offset, Event.Batch::offsets, Event.Batch::values)
                .containsExactly(
                        tuple(10L, 2, List.of(new Span(1, 4, 2))),
                        tuple(12L, 1, List.of(new Span(1, 6, 1))));
    }

    @Test
    void replicaWithoutFilesIsEmpty(@TempDir Path data) throws IOException {
        assertThat(ReplicaFiles.of(2, data, "synced-3", "synced-3").describe(0).logEnd()).isZero();
    }

    private static ByteBuffer batch(long offset, long... numbers) {
        BatchBuilder builder = new BatchBuilder().baseOffset(offset).leaderEpoch(1);
        for (long number : numbers) {
            ByteBuffer value = ByteBuffer.wrap(new RecordValue(1, number).bytes());
            builder.append(0, null, value);
        }
        return builder.build();
    }

    private static void write(Path file, ByteBuffer bytes) throws IOException {
        byte[] array = new byte[bytes.remaining()];
        bytes.get(array);
        Files.write(file, array);
    }
}
