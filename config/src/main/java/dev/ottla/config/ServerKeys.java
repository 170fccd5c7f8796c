package dev.ottla.config;

import static dev.ottla.config.Allowed.atLeast;
import static dev.ottla.config.Allowed.between;
import static dev.ottla.config.Allowed.entries;
import static dev.ottla.config.Allowed.someEntries;
import static dev.ottla.config.Importance.HIGH;
import static dev.ottla.config.Importance.LOW;
import static dev.ottla.config.Importance.MEDIUM;

import java.util.List;

/// Who this node is and what it does for the cluster as a whole. Immutable.
public final class ServerKeys {
    static final KeyArea KEYS = new KeyArea(Scope.BROKER, "Node");

    public static final ConfigKey<Integer> NODE_ID =
            KEYS.int32("node.id", HIGH)
                    .insteadOfDemanding(
                            "1 at the first start; later what the data directory remembers")
                    .allowing(atLeast(0))
                    .doc(
                            "Number that names this node in the cluster. It is kept in the data directory, so a later start may leave it out.");

    public static final ConfigKey<Integer> BROKER_ID =
            KEYS.int32("broker.id", -1, HIGH)
                    .doc("Older spelling of `node.id`; when both are set they must agree.");

    public static final ConfigKey<List<String>> PROCESS_ROLES =
            KEYS.list("process.roles", List.of("broker", "controller"), HIGH)
                    .insteadOfDemanding("one process is a whole broker")
                    .allowing(someEntries("broker", "controller"))
                    .doc(
                            "What the node is: a `broker` holds partitions and serves clients, a `controller` may vote on the metadata. One that is a controller alone votes unless `quorum.role` says otherwise, holds no partitions and is not shown to clients; one that is a broker alone joins others.");

    public static final ConfigKey<String> BROKER_RACK =
            KEYS.string("broker.rack", MEDIUM)
                    .doc(
                            "Rack or zone of this node, shown to clients in metadata and used to spread replicas.");

    public static final ConfigKey<Boolean> AUTO_CREATE_TOPICS_ENABLE =
            KEYS.bool("auto.create.topics.enable", true, HIGH)
                    .doc("Whether asking for a topic that does not exist creates it.");

    public static final ConfigKey<Boolean> DELETE_TOPIC_ENABLE =
            KEYS.bool("delete.topic.enable", true, HIGH).doc("Whether clients may delete topics.");

    public static final ConfigKey<Integer> NUM_PARTITIONS =
            KEYS.int32("num.partitions", 1, MEDIUM)
                    .allowing(atLeast(1))
                    .doc("Partitions a new topic gets when its creator names no number.");

    public static final ConfigKey<Integer> DEFAULT_REPLICATION_FACTOR =
            KEYS.int32("default.replication.factor", MEDIUM)
                    .derived("min(3, brokers)", Surroundings::defaultReplicationFactor)
                    .insteadOf("1", "three copies as soon as three brokers exist")
                    .doc("Replicas a new partition gets when its creator names no number.");

    public static final ConfigKey<Integer> MAX_REQUEST_PARTITION_SIZE_LIMIT =
            KEYS.int32("max.request.partition.size.limit", 2000, MEDIUM)
                    .allowing(atLeast(1))
                    .doc("Most partitions that one DescribeTopicPartitions answer lists.");

    public static final ConfigKey<Integer> BACKGROUND_THREADS =
            KEYS.int32("background.threads", 10, HIGH)
                    .allowing(atLeast(1))
                    .clusterWide()
                    .noEffect(Reasons.PROCESSORS)
                    .doc("Threads for housekeeping.");

    public static final ConfigKey<Integer> NUM_IO_THREADS =
            KEYS.int32("num.io.threads", 8, HIGH)
                    .allowing(atLeast(1))
                    .clusterWide()
                    .noEffect(Reasons.SHARDS)
                    .doc(
                            "Threads that work on requests; in Ottla the shards do, see `num.shards`.");

    public static final ConfigKey<String> ALTER_CONFIG_POLICY_CLASS_NAME =
            KEYS.className("alter.config.policy.class.name", LOW)
                    .noEffect(Reasons.PLUGIN)
                    .doc("Class that may refuse a change of configuration.");

    public static final ConfigKey<String> CREATE_TOPIC_POLICY_CLASS_NAME =
            KEYS.className("create.topic.policy.class.name", LOW)
                    .noEffect(Reasons.PLUGIN)
                    .doc("Class that may refuse the creation of a topic.");

    public static final ConfigKey<List<String>> CONFIG_PROVIDERS =
            KEYS.list("config.providers", List.of(), LOW)
                    .allowing(entries())
                    .clusterWide()
                    .noEffect(Reasons.PLUGIN)
                    .doc("Names of classes that fetch values from elsewhere.");

    public static final ConfigKey<Boolean> CONTROLLED_SHUTDOWN_ENABLE =
            KEYS.bool("controlled.shutdown.enable", true, MEDIUM)
                    .doc("Whether a stopping broker hands its leaderships over first.");

    public static final ConfigKey<Integer> INITIAL_BROKER_REGISTRATION_TIMEOUT_MS =
            KEYS.int32("initial.broker.registration.timeout.ms", 60_000, MEDIUM)
                    .doc(
                            "How long a broker that never was a part of the cluster looks for it, and tries to register with the controller, before it gives up. One that is a part of it goes on trying, and says so.");

    public static final ConfigKey<Integer> BROKER_HEARTBEAT_INTERVAL_MS =
            KEYS.int32("broker.heartbeat.interval.ms", 2000, MEDIUM)
                    .doc("Pause between two signs of life that a broker sends to the controller.");

    public static final ConfigKey<Integer> BROKER_SESSION_TIMEOUT_MS =
            KEYS.int32("broker.session.timeout.ms", 9000, MEDIUM)
                    .doc("Silence after which the controller takes a broker for dead.");

    public static final ConfigKey<Integer> REQUEST_TIMEOUT_MS =
            KEYS.int32("request.timeout.ms", 30_000, HIGH)
                    .noEffect(Reasons.COMMANDS)
                    .doc(
                            "How long this broker waits for the answer to a request it sent to another one.");

    public static final ConfigKey<Integer> CONTROLLER_SOCKET_TIMEOUT_MS =
            KEYS.int32("controller.socket.timeout.ms", 30_000, MEDIUM)
                    .noEffect(Reasons.COMMANDS)
                    .doc("Time-out of the connection from the controller to a broker.");

    public static final ConfigKey<Long> SERVER_MAX_STARTUP_TIME_MS =
            KEYS.int64("server.max.startup.time.ms", Long.MAX_VALUE, MEDIUM)
                    .allowing(atLeast(0))
                    .internal()
                    .noEffect(Reasons.INTERNAL)
                    .doc("Upper bound of the time that a start may take.");

    public static final ConfigKey<Boolean> UNSTABLE_API_VERSIONS_ENABLE =
            KEYS.bool("unstable.api.versions.enable", false, HIGH)
                    .internal()
                    .doc(
                            "Whether protocol versions that are still marked unstable are offered to clients.");

    public static final ConfigKey<Boolean> UNSTABLE_FEATURE_VERSIONS_ENABLE =
            KEYS.bool("unstable.feature.versions.enable", false, HIGH)
                    .internal()
                    .noEffect(Reasons.INTERNAL)
                    .doc("Whether feature levels that are not yet stable may be used.");

    public static final ConfigKey<Integer> NUM_SHARDS =
            KEYS.int32("num.shards", HIGH)
                    .derived(
                            "half of the processors, at least 1",
                            s -> Math.max(1, s.processors() / 2))
                    .allowing(between(1, BrokerRules.MOST_THREADS))
                    .own()
                    .doc(
                            "Threads that own the partitions; read at start. With one of these and one network thread, both are the same thread.");

    public static final ConfigKey<Integer> NUM_IO_THREADS_PER_DATA_DIR =
            KEYS.int32("num.io.threads.per.data.dir", 2, MEDIUM)
                    .allowing(between(1, BrokerRules.MOST_THREADS))
                    .own()
                    .doc(
                            "Threads of each data directory that write, sync, read cold data and recover; read at start.");

    /// Whether the node holds partitions and serves clients.
    public static boolean isBroker(ConfigValues values) {
        return values.value(PROCESS_ROLES).contains("broker");
    }

    /// Whether the node may vote on the metadata.
    public static boolean isController(ConfigValues values) {
        return values.value(PROCESS_ROLES).contains("controller");
    }

    private ServerKeys() {}
}
