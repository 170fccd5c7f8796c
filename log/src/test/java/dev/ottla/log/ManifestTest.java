package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.log.disk.DiskFullException;
import dev.ottla.log.disk.FakeDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ManifestTest {
    private static final Path ROOT = Path.of("/data");
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

    private final FakeDisk disk = new FakeDisk();
    private final Deque<Runnable> lane = new ArrayDeque<>();
    private final List<String> events = new ArrayList<>();

    @BeforeEach
    void makeDirectory() throws IOException {
        disk.createDirectory(ROOT);
    }

    private Manifest open() throws IOException {
        return new Manifest(
                disk, ROOT, lane::add, () -> events.add("full"), _ -> events.add("failed"));
    }

    private void runLane() {
        while (!lane.isEmpty()) {
            lane.remove().run();
        }
    }

    @Test
    void aRemovalThatFoundNoRoomIsWrittenWhenThereIsSome() throws IOException {
        Manifest manifest = open();
        manifest.setRecoveryPoint(ORDERS, 1000);
        manifest.setLogStartOffset(ORDERS, 10);
        manifest.write();
        manifest.remove(ORDERS);
        disk.capacity(1);
        assertThatThrownBy(manifest::write).isInstanceOf(DiskFullException.class);
        assertThat(manifest.isRemovalUnwritten(ORDERS)).isTrue();
        assertThat(open().recoveryPoint(ORDERS)).hasValue(1000);

        disk.capacity(Long.MAX_VALUE);
        manifest.write();

        assertThat(manifest.isRemovalUnwritten(ORDERS)).isFalse();
        assertThat(open().recoveryPoint(ORDERS)).isEmpty();
        assertThat(open().logStartOffset(ORDERS)).isEmpty();
    }

    @Test
    void anErrorOfAWriteIsAFailureThatWhoWaitsIsToldOf() throws IOException {
        Manifest manifest = open();
        manifest.setLogStartOffset(ORDERS, 10);
        disk.beforeSync(() -> {
            throw new OutOfMemoryError("Cannot reserve direct buffer memory");
        });
        manifest.writeSoon(() -> events.add("durable"), _ -> events.add("refused"));

        assertThatThrownBy(this::runLane).isInstanceOf(OutOfMemoryError.class);

        assertThat(events).containsExactly("failed", "refused");
    }

    @Test
    void withoutRoomDeletionsWaitAndWhoCannotWaitIsTold() throws IOException {
        Manifest manifest = open();
        manifest.setLogStartOffset(ORDERS, 10);
        disk.capacity(1);
        manifest.writeSoon(() -> events.add("deleted"));
        manifest.writeSoon(() -> events.add("durable"), _ -> events.add("refused"));
        runLane();
        assertThat(events).containsExactly("full", "refused");

        manifest.retryIfNoRoom();
        assertThat(events).containsExactly("full", "refused", "full");
        disk.capacity(Long.MAX_VALUE);
        manifest.retryIfNoRoom();
        manifest.retryIfNoRoom();

        assertThat(events).containsExactly("full", "refused", "full", "deleted");
        assertThat(open().logStartOffset(ORDERS)).hasValue(10);
    }

    @Test
    void aWriteThatFailsIsToldToWhoWaitsForIt() throws IOException {
        Manifest manifest = open();
        manifest.setLogStartOffset(ORDERS, 10);
        disk.failWrites(true);
        manifest.writeSoon(() -> events.add("deleted"));
        manifest.writeSoon(() -> events.add("durable"), _ -> events.add("told"));
        runLane();

        assertThat(events).containsExactly("failed", "told");
    }
}
