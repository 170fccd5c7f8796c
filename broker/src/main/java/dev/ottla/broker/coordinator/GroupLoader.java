package dev.ottla.broker.coordinator;

import dev.ottla.broker.shard.Timer;
import dev.ottla.group.GroupCoordinator;
import dev.ottla.log.LogSlice;
import dev.ottla.log.PartitionLog;
import dev.ottla.log.ReadOutcome;
import dev.ottla.record.ControlRecords;
import dev.ottla.record.ControlType;
import dev.ottla.record.LogRecord;
import dev.ottla.record.RecordBatch;
import dev.ottla.record.RecordBatches;
import dev.ottla.record.RecordReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads one partition of `__consumer_offsets` into a coordinator that nobody else sees yet. The
/// shard looks up where the next records are, the loader's thread reads and replays them; each
/// hands over to the other, so the coordinator has one user at a time.
final class GroupLoader {
    private static final Logger LOG = LoggerFactory.getLogger(GroupLoader.class);
    private static final long NO_PRODUCER = -1;
    private static final int AWAIT_WRITTEN_MS = 5;

    private final PartitionLog log;
    private final GroupCoordinator coordinator;
    private final GroupEnvironment environment;
    private final Executor thread;
    private final Consumer<Optional<String>> done;
    private final long endOffset;
    private long nextOffset;

    /// @param thread reads and replays
    /// @param done runs on the shard's thread: empty when all was read, else why not
    GroupLoader(
            PartitionLog log,
            GroupCoordinator coordinator,
            GroupEnvironment environment,
            Executor thread,
            Consumer<Optional<String>> done) {
        this.log = log;
        this.coordinator = coordinator;
        this.environment = environment;
        this.thread = thread;
        this.done = done;
        this.nextOffset = log.logStartOffset();
        this.endOffset = log.logEndOffset();
    }

    /// On the shard's thread. With nothing to read it is done at once.
    void step() {
        try {
            readOn();
        } catch (RuntimeException e) {
            LOG.error("{} cannot be read from offset {}.", log, nextOffset, e);
            done.accept(Optional.of(e.toString()));
        }
    }

    private void readOn() {
        if (nextOffset >= endOffset) {
            done.accept(Optional.empty());
            return;
        }
        switch (log.read(nextOffset, environment.loadBufferBytes(), endOffset, true)) {
            case ReadOutcome.Batches(LogSlice slice) -> thread.execute(() -> load(slice));
            case ReadOutcome.AtEnd _ -> awaitWritten();
            case ReadOutcome.OutOfRange(long start, long end) ->
                    done.accept(
                            Optional.of(
                                    "offset %d is not in %d to %d"
                                            .formatted(nextOffset, start, end)));
            case ReadOutcome.Offline(String reason) -> done.accept(Optional.of(reason));
        }
    }

    /// Appended records that are not in the file yet will be in a moment.
    private void awaitWritten() {
        Timer again =
                new Timer() {
                    @Override
                    protected void onTimeout() {
                        step();
                    }
                };
        environment.shard().scheduleMs(again, AWAIT_WRITTEN_MS);
    }

    private void load(LogSlice slice) {
        Optional<String> problem = Optional.empty();
        try {
            replay(slice.readAll());
        } catch (IOException | RuntimeException e) {
            LOG.error("{} cannot be read from offset {}.", log, nextOffset, e);
            problem = Optional.of(String.valueOf(e.getMessage()));
        } finally {
            slice.release();
        }
        Optional<String> failed = problem;
        environment
                .shard()
                .execute(() -> {
                    if (failed.isPresent()) done.accept(failed);
                    else step();
                });
    }

    private void replay(ByteBuffer bytes) {
        try (RecordReader reader = new RecordReader(environment.maxUncompressedBytes())) {
            RecordBatches batches = RecordBatches.in(bytes);
            while (batches.next() instanceof RecordBatches.Step.Batch(RecordBatch batch)) {
                if (batch.nextOffset() <= nextOffset) continue;
                replay(batch, reader);
                nextOffset = batch.nextOffset();
            }
        }
    }

    private void replay(RecordBatch batch, RecordReader reader) {
        if (batch.isControl()) {
            ControlType type = ControlRecords.typeOf(batch);
            if (type == ControlType.COMMIT || type == ControlType.ABORT) {
                coordinator.replayTransactionEnd(batch.producerId(), type == ControlType.COMMIT);
            }
            return;
        }
        long producerId = batch.isTransactional() ? batch.producerId() : NO_PRODUCER;
        for (LogRecord record : reader.records(batch)) {
            record.key().ifPresent(key -> coordinator.replay(key, record.value(), producerId));
        }
    }
}
