package dev.ottla.quorum.raft;

/// How a voter comes to its seat.
public sealed interface Beginning {
    /// As the first voter, after another engine.
    ///
    /// @param base where that one ended
    /// @param begun runs on the metadata thread when the quorum can be started again from its own
    ///   files; this voter leads only after it has returned
    record Founder(Base base, Runnable begun) implements Beginning {}

    /// As a member that the leader is going to add, with an empty log.
    record Joiner() implements Beginning {}

    /// It had the seat before.
    ///
    /// @param term the highest that this process had heard of in that seat; -1 when it has not had
    ///   it
    record Returning(long term) implements Beginning {
        /// At the start of a process.
        public Returning() {
            this(-1);
        }
    }
}
