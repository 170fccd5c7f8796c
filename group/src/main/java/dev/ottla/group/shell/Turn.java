package dev.ottla.group.shell;

import static dev.ottla.wire.Check.check;

import dev.ottla.group.record.CoordinatorRecord;
import dev.ottla.group.record.GroupRecord;
import dev.ottla.group.record.GroupRecordCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// What one operation of the coordinator collects: its time, the records it writes and the replies
/// that follow them. [#end] turns it into effects: first one append, then the replies in the order
/// in which they were given. Owned by the coordinator's thread, used again for each operation.
public final class Turn {
    private final Effects effects;
    private final Consumer<GroupRecord> replay;
    private final List<CoordinatorRecord> records = new ArrayList<>();
    private final List<Runnable> replies = new ArrayList<>();
    private long nowMs;

    /// @param replay applies a record to the coordinator's state, the same way as when loading
    public Turn(Effects effects, Consumer<GroupRecord> replay) {
        this.effects = effects;
        this.replay = replay;
    }

    /// Starts the next operation.
    public void begin(long nowMs) {
        check(
                records.isEmpty() && replies.isEmpty(),
                "an operation did not end: %d records, %d replies",
                records.size(),
                replies.size());
        this.nowMs = nowMs;
    }

    /// Ends the operation: everything it collected leaves through the effects.
    public void end() {
        // Taken out first: what the effects set off may come back as an operation of its own.
        List<CoordinatorRecord> batch = List.copyOf(records);
        List<Runnable> answers = List.copyOf(replies);
        records.clear();
        replies.clear();
        if (!batch.isEmpty()) effects.append(batch);
        answers.forEach(Runnable::run);
    }

    /// The operation failed: nothing leaves. The state may be half changed, so the coordinator is
    /// to be abandoned and read again.
    public void discard() {
        records.clear();
        replies.clear();
    }

    /// The time of this operation.
    public long nowMs() {
        return nowMs;
    }

    /// Writes `record` and applies it to the state.
    public void write(GroupRecord record) {
        replay.accept(record);
        records.add(GroupRecordCodec.encode(record));
    }

    /// Writes `record`, whose content the state already has.
    public void writeApplied(GroupRecord record) {
        records.add(GroupRecordCodec.encode(record));
    }

    public <T> void complete(Reply<T> reply, T response) {
        replies.add(() -> effects.complete(reply, response));
    }

    public void refuse(Reply<?> reply, Refusal refusal) {
        replies.add(() -> effects.refuse(reply, refusal));
    }

    public void schedule(TimerKey key, long deadlineMs) {
        effects.schedule(key, deadlineMs);
    }

    public void cancel(TimerKey key) {
        effects.cancel(key);
    }

    public Effects effects() {
        return effects;
    }
}
