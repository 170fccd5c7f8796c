package dev.ottla.chaos.load;

import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.EventLog;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/// Some records that one writer sends to one partition at a time, and what is known of them. The
/// writer sends, the producer's thread answers: guarded by its lock.
final class Burst {
    private final EventLog history;
    private final Event.Sent sent;
    private final Runnable whenDone;

    private int answered;

    // Acknowledged ones that follow each other both in numbers and offsets, not yet told.
    private long runNumber;
    private long runOffset;
    private int runCount;

    /// @param sent told to the history here, before the first record is sent
    /// @param whenDone run once, when the last record is answered
    Burst(EventLog history, Event.Sent sent, Runnable whenDone) {
        this.history = history;
        this.sent = sent;
        this.whenDone = whenDone;
        history.add(sent);
    }

    /// One record is answered.
    synchronized void onAnswer(
            int index, @Nullable RecordMetadata metadata, @Nullable Exception error) {
        long number = sent.number() + index;
        if (error == null && metadata != null) {
            onAcknowledged(number, metadata.offset());
        } else {
            endRun();
            history.add(failure(number, error));
        }
        answered++;
        if (answered == sent.count()) {
            endRun();
            whenDone.run();
        }
    }

    private Event failure(long number, @Nullable Exception error) {
        String text = String.valueOf(error);
        boolean refused =
                error instanceof RecordTooLargeException
                        || error instanceof InvalidTimestampException;
        return refused
                ? new Event.Refused(sent.writer(), sent.partition(), number, 1, text)
                : new Event.Unanswered(sent.writer(), sent.partition(), number, 1, text);
    }

    private void onAcknowledged(long number, long offset) {
        if (runCount > 0 && (number != runNumber + runCount || offset != runOffset + runCount)) {
            endRun();
        }
        if (runCount == 0) {
            runNumber = number;
            runOffset = offset;
        }
        runCount++;
    }

    private void endRun() {
        if (runCount > 0) {
            history.add(
                    new Event.Acknowledged(
                            sent.writer(), sent.partition(), runNumber, runCount, runOffset));
            runCount = 0;
        }
    }
}
