package dev.ottla.chaos.history;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Map;

/// One thing that happened. A partition is named `topic-number`; offsets are those of the log, and
/// what is called an end is exclusive. Immutable.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Event.Run.class, name = "run"),
    @JsonSubTypes.Type(value = Event.Given.class, name = "given"),
    @JsonSubTypes.Type(value = Event.Topic.class, name = "topic"),
    @JsonSubTypes.Type(value = Event.Sent.class, name = "sent"),
    @JsonSubTypes.Type(value = Event.Acknowledged.class, name = "acknowledged"),
    @JsonSubTypes.Type(value = Event.Unanswered.class, name = "unanswered"),
    @JsonSubTypes.Type(value = Event.Refused.class, name = "refused"),
    @JsonSubTypes.Type(value = Event.Read.class, name = "read"),
    @JsonSubTypes.Type(value = Event.Owned.class, name = "owned"),
    @JsonSubTypes.Type(value = Event.Released.class, name = "released"),
    @JsonSubTypes.Type(value = Event.CommitAsked.class, name = "commit-asked"),
    @JsonSubTypes.Type(value = Event.CommitAnswered.class, name = "commit-answered"),
    @JsonSubTypes.Type(value = Event.CommittedAsked.class, name = "committed-asked"),
    @JsonSubTypes.Type(value = Event.CommittedFound.class, name = "committed-found"),
    @JsonSubTypes.Type(value = Event.EndsAsked.class, name = "ends-asked"),
    @JsonSubTypes.Type(value = Event.EndsFound.class, name = "ends-found"),
    @JsonSubTypes.Type(value = Event.FaultBegan.class, name = "fault-began"),
    @JsonSubTypes.Type(value = Event.FaultEnded.class, name = "fault-ended"),
    @JsonSubTypes.Type(value = Event.LoadBegan.class, name = "load-began"),
    @JsonSubTypes.Type(value = Event.LoadEnded.class, name = "load-ended"),
    @JsonSubTypes.Type(value = Event.Healed.class, name = "healed"),
    @JsonSubTypes.Type(value = Event.NodeDied.class, name = "node-died"),
    @JsonSubTypes.Type(value = Event.Stuck.class, name = "stuck"),
    @JsonSubTypes.Type(value = Event.Ignored.class, name = "ignored"),
    @JsonSubTypes.Type(value = Event.Replica.class, name = "replica"),
    @JsonSubTypes.Type(value = Event.Stored.class, name = "stored"),
    @JsonSubTypes.Type(value = Event.MustBeOwned.class, name = "must-be-owned"),
    @JsonSubTypes.Type(value = Event.TopicAsked.class, name = "topic-asked"),
    @JsonSubTypes.Type(value = Event.TopicAnswered.class, name = "topic-answered"),
    @JsonSubTypes.Type(value = Event.TopicsFound.class, name = "topics-found"),
})
public sealed interface Event {
    /// The first event: what was run.
    ///
    /// @param requestTimeoutMs how long members of groups wait for an answer; a commit that took
    ///   half as long may have been sent twice, and the first of the two may arrive at any time
    ///   later
    record Run(
            long seed,
            int nodes,
            long seconds,
            List<String> faults,
            @JsonAlias("strayCommitMs") long requestTimeoutMs,
            String by)
            implements Event {
        public Run {
            faults = List.copyOf(faults);
        }
    }

    /// The cluster was there before the run: its files are out of reach, and what a reader is given
    /// at the end stands in place of what replicas hold.
    record Given(String bootstrap) implements Event {}

    /// A topic of the run.
    ///
    /// @param keys of a compacted topic: how many each writer has. Number `n` of a writer has its
    ///   key `n % keys`. 0 when the topic is not compacted.
    record Topic(String name, int partitions, int keys) implements Event {}

    /// Is about to be sent: `count` values from `number` on, in this order.
    record Sent(int writer, String partition, long number, int count) implements Event {}

    /// The first value is at `offset`, the others follow it.
    record Acknowledged(int writer, String partition, long number, int count, long offset)
            implements Event {}

    /// Nobody knows whether they are stored.
    record Unanswered(int writer, String partition, long number, int count, String error)
            implements Event {}

    /// They are certainly not stored.
    record Refused(int writer, String partition, long number, int count, String error)
            implements Event {}

    /// The first value is at `offset`, the others follow it without a gap.
    record Read(String reader, String partition, long offset, List<Span> values) implements Event {
        public Read {
            values = List.copyOf(values);
        }
    }

    /// A member reads these partitions from now on, from where the group committed.
    record Owned(String group, String member, int generation, List<String> partitions)
            implements Event {
        public Owned {
            partitions = List.copyOf(partitions);
        }
    }

    /// A member gives these partitions back, or heard that they are no longer its own.
    record Released(String group, String member, List<String> partitions) implements Event {
        public Released {
            partitions = List.copyOf(partitions);
        }
    }

    /// A member is about to commit.
    ///
    /// @param call names the question and its answer
    record CommitAsked(long call, String group, Map<String, Long> offsets) implements Event {
        public CommitAsked {
            offsets = Map.copyOf(offsets);
        }
    }

    record CommitAnswered(long call, Answer answer) implements Event {}

    enum Answer {
        DONE,
        REFUSED,
        UNKNOWN
    }

    record CommittedAsked(long call, String group) implements Event {}

    /// What a group has committed.
    ///
    /// @param offsets of the partitions for which something is committed
    record CommittedFound(long call, Map<String, Long> offsets) implements Event {
        public CommittedFound {
            offsets = Map.copyOf(offsets);
        }
    }

    record EndsAsked(long call) implements Event {}

    /// What those partitions said that answered.
    record EndsFound(long call, Map<String, Long> logStarts, Map<String, Long> highWatermarks)
            implements Event {
        public EndsFound {
            logStarts = Map.copyOf(logStarts);
            highWatermarks = Map.copyOf(highWatermarks);
        }
    }

    /// A fault is about to be played.
    ///
    /// @param number counts the faults of the run from 1
    /// @param nodes that it hits
    record FaultBegan(int number, String kind, List<Integer> nodes, String detail)
            implements Event {
        public FaultBegan {
            nodes = List.copyOf(nodes);
        }
    }

    /// What the fault broke works again, or may.
    ///
    /// @param done false when it could not be played, so that it counts for nothing
    record FaultEnded(int number, boolean done, String detail) implements Event {}

    record LoadBegan() implements Event {}

    /// No more faults come and no more is sent.
    record LoadEnded() implements Event {}

    /// Every replica is in sync again and everything sent is answered.
    record Healed() implements Event {}

    /// A process ended that nobody had killed.
    ///
    /// @param said the last lines of its output
    record NodeDied(int node, int exitCode, String file, List<String> said) implements Event {}

    /// Something that must come true after the last fault did not.
    record Stuck(String what) implements Event {}

    /// A node neither answered something malformed nor closed the connection.
    record Ignored(int node, String what) implements Event {}

    /// A replica as its files show it after healing; what it holds follows in [Stored] events.
    record Replica(
            int node,
            String partition,
            long logStart,
            long logEnd,
            long highWatermark,
            String directory)
            implements Event {}

    /// Batches of a replica, ascending.
    record Stored(int node, String partition, List<Batch> batches) implements Event {
        public Stored {
            batches = List.copyOf(batches);
        }
    }

    /// Some time after the last fault each of these partitions must have an owner.
    record MustBeOwned(String group, List<String> partitions) implements Event {
        public MustBeOwned {
            partitions = List.copyOf(partitions);
        }
    }

    /// A topic is about to be created, to get another setting, or to be deleted.
    ///
    /// @param setting that it shall have; no two changes name the same one. Without meaning when it
    ///   is to be deleted.
    record TopicAsked(long call, String topic, TopicChange change, long setting) implements Event {}

    enum TopicChange {
        CREATE,
        SET,
        DELETE
    }

    record TopicAnswered(long call, Answer answer) implements Event {}

    /// After healing: all topics that were found, with their settings.
    record TopicsFound(Map<String, Long> settings) implements Event {
        public TopicsFound {
            settings = Map.copyOf(settings);
        }
    }

    /// One batch of records of a replica.
    ///
    /// @param offsets how many offsets it covers; as many as values, unless it was compacted
    /// @param at the offset of each value counted from `offset`; empty when they follow each other
    ///   without a gap
    record Batch(
            long offset, int offsets, int epoch, long crc, List<Span> values, List<Integer> at) {
        public Batch {
            values = List.copyOf(values);
            at = List.copyOf(at);
        }
    }
}
