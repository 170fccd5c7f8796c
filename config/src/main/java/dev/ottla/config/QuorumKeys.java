package dev.ottla.config;

import static dev.ottla.config.Allowed.atLeast;
import static dev.ottla.config.Allowed.between;
import static dev.ottla.config.Allowed.oneOf;
import static dev.ottla.config.Allowed.someEntries;
import static dev.ottla.config.Feature.ZOOKEEPER;
import static dev.ottla.config.Importance.HIGH;
import static dev.ottla.config.Importance.LOW;
import static dev.ottla.config.Importance.MEDIUM;

import java.util.List;

/// The metadata log and the nodes that agree on it. Immutable.
public final class QuorumKeys {
    static final KeyArea KEYS = new KeyArea(Scope.BROKER, "Metadata and quorum");

    public static final ConfigKey<String> METADATA_LOG_DIR =
            KEYS.string("metadata.log.dir", HIGH)
                    .doc("Directory of the metadata log; the first data directory when left out.");

    public static final ConfigKey<Integer> METADATA_LOG_SEGMENT_BYTES =
            KEYS.int32("metadata.log.segment.bytes", 16_777_216, HIGH)
                    .insteadOf(
                            "1073741824",
                            "the room of records that a snapshot replaces comes back segment by segment")
                    .allowing(atLeast(8_388_608))
                    .doc("Size at which a segment of the metadata log is closed.");

    public static final ConfigKey<Long> METADATA_LOG_SEGMENT_MS =
            KEYS.int64("metadata.log.segment.ms", 604_800_000, HIGH)
                    .doc("Age at which a segment of the metadata log is closed.");

    public static final ConfigKey<Long> METADATA_MAX_RETENTION_BYTES =
            KEYS.int64("metadata.max.retention.bytes", 104_857_600, HIGH)
                    .doc("Size of metadata log and snapshots beyond which old ones are deleted.");

    public static final ConfigKey<Long> METADATA_MAX_RETENTION_MS =
            KEYS.int64("metadata.max.retention.ms", 604_800_000, HIGH)
                    .doc("Age of metadata log and snapshots beyond which old ones are deleted.");

    public static final ConfigKey<Long> METADATA_LOG_MAX_RECORD_BYTES_BETWEEN_SNAPSHOTS =
            KEYS.int64("metadata.log.max.record.bytes.between.snapshots", 20_971_520, HIGH)
                    .unit(Unit.BYTES)
                    .allowing(atLeast(1))
                    .doc("Bytes of new metadata records after which a snapshot is written.");

    public static final ConfigKey<Long> METADATA_LOG_MAX_SNAPSHOT_INTERVAL_MS =
            KEYS.int64("metadata.log.max.snapshot.interval.ms", 3_600_000, HIGH)
                    .allowing(atLeast(0))
                    .doc(
                            "Time after which a snapshot is written if there are new metadata records; 0 leaves it to size alone.");

    public static final ConfigKey<Integer> METADATA_MAX_IDLE_INTERVAL_MS =
            KEYS.int32("metadata.max.idle.interval.ms", 500, LOW)
                    .allowing(atLeast(0))
                    .noEffect(Reasons.ENGINE)
                    .doc(
                            "Pause after which an idle controller shows by an empty record that it is alive; 0 writes none.");

    public static final ConfigKey<List<String>> CONTROLLER_LISTENER_NAMES =
            KEYS.list("controller.listener.names", List.of("CONTROLLER"), HIGH)
                    .insteadOfDemanding("one process is a whole broker, so nothing has to be named")
                    .allowing(someEntries())
                    .doc(
                            "Listeners for other nodes, which clients are not told of. Voters reach each other at `quorum.port` besides.");

    public static final ConfigKey<List<String>> CONTROLLER_QUORUM_VOTERS =
            KEYS.list("controller.quorum.voters", List.of(), HIGH)
                    .allowing(Formats.QUORUM_VOTERS)
                    .doc(
                            "Nodes of the cluster that this node joins, in Kafka's older way, as `id@host:port` separated by commas; `controller.quorum.bootstrap.servers` goes first. All nodes may have the same list, for a node leaves out itself; but the one that begins the cluster is started without the list the first time, or with itself alone. Who votes is settled while the cluster runs.");

    public static final ConfigKey<List<String>> CONTROLLER_QUORUM_BOOTSTRAP_SERVERS =
            KEYS.list("controller.quorum.bootstrap.servers", List.of(), HIGH)
                    .allowing(Formats.HOST_PORTS)
                    .doc(
                            "Nodes of the cluster that this node joins, as `host:port` separated by commas; `--join` sets it. This node's own listeners are left out; the node that begins a cluster is started without, or with these alone. It is kept in the data directory, so a later start may leave it out.");

    public static final ConfigKey<Boolean> CONTROLLER_QUORUM_AUTO_JOIN_ENABLE =
            KEYS.bool("controller.quorum.auto.join.enable", false, LOW)
                    .noEffect("`quorum.role` says whether a node asks to vote")
                    .doc("Whether this node becomes a voter by itself.");

    public static final ConfigKey<Integer> CONTROLLER_QUORUM_ELECTION_TIMEOUT_MS =
            KEYS.int32("controller.quorum.election.timeout.ms", 1000, HIGH)
                    .allowing(atLeast(0))
                    .doc(
                            "Time without a word of the leader after which a voter stands for election; the time is drawn between this and twice this. At least 50.");

    public static final ConfigKey<Integer> CONTROLLER_QUORUM_ELECTION_BACKOFF_MAX_MS =
            KEYS.int32("controller.quorum.election.backoff.max.ms", 1000, HIGH)
                    .allowing(atLeast(0))
                    .noEffect(Reasons.ENGINE)
                    .doc("Longest random pause before a voter stands again.");

    public static final ConfigKey<Integer> CONTROLLER_QUORUM_FETCH_TIMEOUT_MS =
            KEYS.int32("controller.quorum.fetch.timeout.ms", 2000, HIGH)
                    .allowing(atLeast(0))
                    .noEffect("`controller.quorum.election.timeout.ms` says it for both")
                    .doc(
                            "Time without contact after which a quorum leader or follower gives up its role.");

    public static final ConfigKey<Integer> CONTROLLER_QUORUM_FETCH_MAX_BYTES =
            KEYS.int32("controller.quorum.fetch.max.bytes", 1_048_576, LOW)
                    .allowing(atLeast(1))
                    .doc("Bytes asked for in one fetch of the metadata log.");

    public static final ConfigKey<Integer> CONTROLLER_QUORUM_FETCH_SNAPSHOT_MAX_BYTES =
            KEYS.int32("controller.quorum.fetch.snapshot.max.bytes", 1_048_576, LOW)
                    .allowing(atLeast(1))
                    .noEffect("snapshots are fetched in parts of one MiB")
                    .doc("Bytes asked for in one fetch of a snapshot.");

    public static final ConfigKey<Integer> CONTROLLER_QUORUM_APPEND_LINGER_MS =
            KEYS.int32("controller.quorum.append.linger.ms", 25, MEDIUM)
                    .allowing(atLeast(0))
                    .noEffect("what comes while the last records are synced is written together")
                    .doc("How long the quorum leader gathers records before it writes them.");

    public static final ConfigKey<Integer> CONTROLLER_QUORUM_REQUEST_TIMEOUT_MS =
            KEYS.int32("controller.quorum.request.timeout.ms", 2000, MEDIUM)
                    .allowing(atLeast(0))
                    .noEffect(Reasons.ENGINE)
                    .doc("How long a request within the quorum waits for its answer.");

    public static final ConfigKey<Integer> CONTROLLER_QUORUM_RETRY_BACKOFF_MS =
            KEYS.int32("controller.quorum.retry.backoff.ms", 20, LOW)
                    .allowing(atLeast(0))
                    .noEffect(Reasons.ENGINE)
                    .doc("Pause before a failed request within the quorum is sent again.");

    public static final ConfigKey<Long> CONTROLLER_PERFORMANCE_SAMPLE_PERIOD_MS =
            KEYS.int64("controller.performance.sample.period.ms", 60_000, MEDIUM)
                    .allowing(atLeast(100))
                    .internal()
                    .noEffect(Reasons.INTERNAL)
                    .doc("Span over which slow controller events are gathered.");

    public static final ConfigKey<Long> CONTROLLER_PERFORMANCE_ALWAYS_LOG_THRESHOLD_MS =
            KEYS.int64("controller.performance.always.log.threshold.ms", 2000, MEDIUM)
                    .allowing(atLeast(0))
                    .internal()
                    .noEffect(Reasons.INTERNAL)
                    .doc("Duration from which a controller event is logged.");

    public static final ConfigKey<Integer> INTERNAL_METADATA_LOG_SEGMENT_BYTES =
            KEYS.int32("internal.metadata.log.segment.bytes", LOW)
                    .internal()
                    .noEffect(Reasons.INTERNAL)
                    .doc("Smaller segments of the metadata log for tests.");

    public static final ConfigKey<Integer> INTERNAL_METADATA_MAX_BATCH_SIZE_IN_BYTES =
            KEYS.int32("internal.metadata.max.batch.size.in.bytes", 8_388_608, LOW)
                    .internal()
                    .noEffect(Reasons.INTERNAL)
                    .doc("Largest batch of the metadata log.");

    public static final ConfigKey<Long> INTERNAL_METADATA_DELETE_DELAY_MILLIS =
            KEYS.int64("internal.metadata.delete.delay.millis", 60_000, LOW)
                    .internal()
                    .noEffect(Reasons.INTERNAL)
                    .doc("Pause before old files of the metadata log are deleted.");

    public static final ConfigKey<String> QUORUM_ROLE =
            KEYS.string("quorum.role", "auto", MEDIUM)
                    .own()
                    .allowing(oneOf("voter", "observer", "auto"))
                    .doc(
                            "Whether this node votes on the metadata: `voter` asks to until it does, `observer` never asks, and `auto` asks when the cluster has three nodes, so that the second and the third become voters together. The node that begins a cluster is its first voter in any case. `--role` sets it.");

    public static final ConfigKey<Integer> QUORUM_PORT =
            KEYS.int32("quorum.port", 0, MEDIUM)
                    .own()
                    .allowing(between(0, 65_535))
                    .doc(
                            "Port at which voters reach this node when it votes; 0 takes a free one from 20000 to 31999 when it becomes a voter and keeps it from then on. When it is another one at the next start, the vote moves there while the other voters are there.");

    public static final ConfigKey<String> ZOOKEEPER_CONNECT =
            KEYS.string("zookeeper.connect", HIGH)
                    .own()
                    .later(ZOOKEEPER)
                    .doc(
                            "Ensemble that keeps the metadata in place of Ottla's own quorum: an option to come for who runs one already. Ottla needs no ZooKeeper.");

    private QuorumKeys() {}
}
