package dev.ottla.broker.fetch;

import dev.ottla.broker.fetch.FetchTarget.Told;
import dev.ottla.wire.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// What a fetch request means in its session: what to read, and what of it goes into the answer
/// (KIP-227). Owned by the session's loop.
public sealed interface FetchContext {
    /// The session id of an answer that belongs to none.
    int NO_SESSION = 0;

    /// What the client is told.
    ///
    /// @param parts those to be sent, in order
    record Answer(int sessionId, List<FetchPart> parts) {}

    /// The request does not fit the session.
    record Refused(ErrorCode error) implements FetchContext {
        @Override
        public List<FetchTarget> targets() {
            return List.of();
        }

        @Override
        public Answer answer(List<FetchPart> parts) {
            return new Answer(NO_SESSION, List.of());
        }
    }

    /// No session: everything is told each time.
    record Sessionless(List<FetchTarget> targets) implements FetchContext {
        @Override
        public Answer answer(List<FetchPart> parts) {
            return new Answer(NO_SESSION, parts);
        }
    }

    /// The first request of a session: everything is told, and remembered if there is room.
    record First(SessionCache cache, boolean usesTopicIds, List<FetchTarget> targets)
            implements FetchContext {
        @Override
        public Answer answer(List<FetchPart> parts) {
            return new Answer(cache.create(usesTopicIds, parts), parts);
        }

        @Override
        public Optional<Told> told(FetchTarget target) {
            return cache.hasRoom() ? Optional.of(Told.NOTHING) : Optional.empty();
        }
    }

    /// A later request: only changes are told.
    record Incremental(FetchSession session) implements FetchContext {
        @Override
        public List<FetchTarget> targets() {
            return session.targets();
        }

        @Override
        public OptionalLong answeredNs() {
            return OptionalLong.of(session.answeredNs());
        }

        @Override
        public Answer answer(List<FetchPart> parts) {
            return new Answer(session.id(), session.changes(parts));
        }

        @Override
        public Optional<Told> told(FetchTarget target) {
            return Optional.of(session.told(target));
        }
    }

    /// The partitions to read, in order.
    List<FetchTarget> targets();

    /// What the client was told of the partition; empty when that is not remembered.
    default Optional<Told> told(FetchTarget target) {
        return Optional.empty();
    }

    /// When the session was given the answer that this request follows on, which the client has
    /// read since; empty for a first request.
    default OptionalLong answeredNs() {
        return OptionalLong.empty();
    }

    /// What of the parts that were read goes into the answer.
    Answer answer(List<FetchPart> parts);
}
