package dev.ottla.group.shell;

import dev.ottla.group.record.CoordinatorRecord;
import java.util.List;
import java.util.Set;

/// What a coordinator asks of the shell around it. Called only during an operation of the
/// coordinator, on its thread; the order of the calls is the order in which they take effect.
///
/// The state machine has already applied what it appends (speculatively). If an append fails or the
/// partition loses its leadership, the shell must drop the whole coordinator: answer what it still
/// holds, call `GroupCoordinator.abandon`, and load a new one from the log. There is no rollback.
public interface Effects {
    /// Appends `records` to the coordinator's partition; called at most once an operation. They
    /// should form one batch; where a batch would grow too large the shell may split them, in
    /// order: every prefix of them leaves a state that later operations put right.
    void append(List<CoordinatorRecord> records);

    /// Completes `reply` as soon as everything appended so far, by this operation or an earlier
    /// one, is committed. With nothing pending that is at once.
    <T> void complete(Reply<T> reply, T response);

    /// Refuses `reply`, with the same wait as [#complete].
    void refuse(Reply<?> reply, Refusal refusal);

    /// Calls `onTimer` with `key` at or after `deadlineMs`; replaces a pending deadline of the same
    /// key.
    void schedule(TimerKey key, long deadlineMs);

    /// Forgets the deadline of `key`, if there is one.
    void cancel(TimerKey key);

    /// Asks which topics match each of `regexes` (RE2/J syntax, whole name), evaluated away from
    /// the coordinator's thread over the topics of the newest image. The answer comes back through
    /// `GroupCoordinator.onRegexesResolved` with the same `groupId`, and must come, if only with a
    /// failure.
    void resolveRegexes(String groupId, Set<String> regexes);
}
