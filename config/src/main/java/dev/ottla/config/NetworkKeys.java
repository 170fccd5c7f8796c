package dev.ottla.config;

import static dev.ottla.config.Allowed.atLeast;
import static dev.ottla.config.Allowed.entries;
import static dev.ottla.config.Allowed.someEntries;
import static dev.ottla.config.Feature.SASL;
import static dev.ottla.config.Importance.HIGH;
import static dev.ottla.config.Importance.LOW;
import static dev.ottla.config.Importance.MEDIUM;

import java.util.List;

/// Listeners, connections, and the memory they may take. Immutable.
public final class NetworkKeys {
    static final KeyArea KEYS = new KeyArea(Scope.BROKER, "Network");

    public static final ConfigKey<List<String>> LISTENERS =
            KEYS.list("listeners", List.of("PLAINTEXT://:9092"), HIGH)
                    .allowing(someEntries())
                    .perBroker()
                    .doc(
                            "Addresses to listen on, as `NAME://host:port` separated by commas; an empty host means every interface.");

    public static final ConfigKey<List<String>> ADVERTISED_LISTENERS =
            KEYS.list("advertised.listeners", HIGH)
                    .allowing(someEntries())
                    .doc(
                            "Addresses that clients are told, one for each listener that needs another than the one it is reached at.");

    public static final ConfigKey<String> LISTENER_SECURITY_PROTOCOL_MAP =
            KEYS.string(
                            "listener.security.protocol.map",
                            "SASL_SSL:SASL_SSL,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT",
                            LOW)
                    .perBroker()
                    .doc("Which security protocol each listener name stands for.");

    public static final ConfigKey<String> INTER_BROKER_LISTENER_NAME =
            KEYS.string("inter.broker.listener.name", MEDIUM)
                    .doc("Listener that brokers use among themselves.");

    public static final ConfigKey<List<String>> EARLY_START_LISTENERS =
            KEYS.list("early.start.listeners", HIGH)
                    .allowing(entries())
                    .noEffect("all listeners open together, once the broker can serve")
                    .doc("Listeners that open before authorization is ready.");

    public static final ConfigKey<Integer> NUM_NETWORK_THREADS =
            KEYS.int32("num.network.threads", HIGH)
                    .derived(
                            "half of the processors, at least 1",
                            s -> Math.max(1, s.processors() / 2))
                    .insteadOf("3", "a loop per two processors is what pays")
                    .allowing(atLeast(1))
                    .clusterWide()
                    .doc("Network loops that own the connections, at most 1024.");

    public static final ConfigKey<Integer> SOCKET_SEND_BUFFER_BYTES =
            KEYS.int32("socket.send.buffer.bytes", 102_400, HIGH)
                    .doc(
                            "Send buffer of each client socket; -1 leaves it to the operating system.");

    public static final ConfigKey<Integer> SOCKET_RECEIVE_BUFFER_BYTES =
            KEYS.int32("socket.receive.buffer.bytes", 102_400, HIGH)
                    .doc(
                            "Receive buffer of each client socket; -1 leaves it to the operating system.");

    public static final ConfigKey<Integer> SOCKET_LISTEN_BACKLOG_SIZE =
            KEYS.int32("socket.listen.backlog.size", 1024, MEDIUM)
                    .insteadOf("50", "clients that all reconnect at once should not be turned away")
                    .allowing(atLeast(1))
                    .doc(
                            "Connections the operating system may hold ready until the broker accepts them.");

    public static final ConfigKey<Integer> SOCKET_REQUEST_MAX_BYTES =
            KEYS.int32("socket.request.max.bytes", 104_857_600, HIGH)
                    .allowing(atLeast(1))
                    .doc("Largest request frame; a larger one closes the connection.");

    public static final ConfigKey<Integer> QUEUED_MAX_REQUESTS =
            KEYS.int32("queued.max.requests", 500, HIGH)
                    .allowing(atLeast(1))
                    .doc("Requests in work over all connections before reading pauses.");

    public static final ConfigKey<Long> QUEUED_MAX_REQUEST_BYTES =
            KEYS.int64("queued.max.request.bytes", -1, MEDIUM)
                    .doc(
                            "Memory that requests in work may take over all connections before reading pauses; -1 lets Ottla take a quarter of its memory.");

    public static final ConfigKey<Integer> MAX_CONNECTIONS =
            KEYS.int32("max.connections", Integer.MAX_VALUE, MEDIUM)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .doc(
                            "Connections a listener, or with no prefix the whole broker, keeps open at once; never so many that logs find no file descriptor (`ulimit -n`).");

    public static final ConfigKey<Integer> MAX_CONNECTIONS_PER_IP =
            KEYS.int32("max.connections.per.ip", Integer.MAX_VALUE, MEDIUM)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .doc("Connections that one address may keep open at once.");

    public static final ConfigKey<String> MAX_CONNECTIONS_PER_IP_OVERRIDES =
            KEYS.string("max.connections.per.ip.overrides", "", MEDIUM)
                    .clusterWide()
                    .doc(
                            "Other limits for single addresses, as `address:count` separated by commas; names are not taken.");

    public static final ConfigKey<Integer> MAX_CONNECTION_CREATION_RATE =
            KEYS.int32("max.connection.creation.rate", Integer.MAX_VALUE, MEDIUM)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .doc("New connections accepted per second; those beyond wait.");

    public static final ConfigKey<Long> CONNECTIONS_MAX_IDLE_MS =
            KEYS.int64("connections.max.idle.ms", 600_000, MEDIUM)
                    .doc("Silence after which a connection is closed.");

    public static final ConfigKey<Integer> CONNECTION_FAILED_AUTHENTICATION_DELAY_MS =
            KEYS.int32("connection.failed.authentication.delay.ms", 100, LOW)
                    .allowing(atLeast(0))
                    .later(SASL)
                    .doc("How long the answer to a failed login is held back.");

    public static final ConfigKey<Long> SOCKET_CONNECTION_SETUP_TIMEOUT_MS =
            KEYS.int64("socket.connection.setup.timeout.ms", 10_000, MEDIUM)
                    .noEffect(Reasons.COMMANDS)
                    .doc("How long this broker first waits for a connection to another one.");

    public static final ConfigKey<Long> SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS =
            KEYS.int64("socket.connection.setup.timeout.max.ms", 30_000, MEDIUM)
                    .noEffect(Reasons.COMMANDS)
                    .doc("How long this broker at most waits for a connection to another one.");

    public static final ConfigKey<Integer> FETCH_MAX_BYTES =
            KEYS.int32("fetch.max.bytes", 57_671_680, MEDIUM)
                    .allowing(atLeast(1024))
                    .doc("Most bytes that one fetch answer carries, whatever the client asks for.");

    public static final ConfigKey<Integer> MAX_INCREMENTAL_FETCH_SESSION_CACHE_SLOTS =
            KEYS.int32("max.incremental.fetch.session.cache.slots", 1000, MEDIUM)
                    .allowing(atLeast(0))
                    .doc("Fetch sessions remembered at once.");

    public static final ConfigKey<Integer> FETCH_PURGATORY_PURGE_INTERVAL_REQUESTS =
            KEYS.int32("fetch.purgatory.purge.interval.requests", 1000, MEDIUM)
                    .noEffect(Reasons.PURGATORY)
                    .doc("How often finished waiting fetches are swept up.");

    public static final ConfigKey<Integer> PRODUCER_PURGATORY_PURGE_INTERVAL_REQUESTS =
            KEYS.int32("producer.purgatory.purge.interval.requests", 1000, MEDIUM)
                    .noEffect(Reasons.PURGATORY)
                    .doc("How often finished waiting produce requests are swept up.");

    public static final ConfigKey<Integer> DELETE_RECORDS_PURGATORY_PURGE_INTERVAL_REQUESTS =
            KEYS.int32("delete.records.purgatory.purge.interval.requests", 1, MEDIUM)
                    .noEffect(Reasons.PURGATORY)
                    .doc("How often finished waiting DeleteRecords requests are swept up.");

    public static final ConfigKey<String> ADVERTISED_ADDRESS =
            KEYS.string("advertised.address", MEDIUM)
                    .own()
                    .allowing(Formats.HOST_MAYBE_PORT)
                    .doc(
                            "Host, or `host:port`, that clients are told instead of the address they came in by; for NAT and containers.");

    public static final ConfigKey<Integer> SOCKET_REQUEST_RECEIVE_TIMEOUT_MS =
            KEYS.int32("socket.request.receive.timeout.ms", 30_000, MEDIUM)
                    .allowing(atLeast(1))
                    .own()
                    .doc("Time in which a request frame must arrive in full once it has begun.");

    public static final ConfigKey<Integer> CONNECTION_MAX_INFLIGHT_REQUESTS =
            KEYS.int32("connection.max.inflight.requests", 128, MEDIUM)
                    .allowing(atLeast(1))
                    .own()
                    .doc(
                            "Requests of one connection in work at once; beyond that its reading pauses.");

    public static final ConfigKey<Long> CONNECTION_MAX_INFLIGHT_BYTES =
            KEYS.int64("connection.max.inflight.bytes", 134_217_728, MEDIUM)
                    .allowing(atLeast(1))
                    .own()
                    .doc(
                            "Memory the requests of one connection may take; beyond that its reading pauses.");

    public static final ConfigKey<Long> CONNECTION_MAX_PENDING_RESPONSE_BYTES =
            KEYS.int64("connection.max.pending.response.bytes", 1_048_576, MEDIUM)
                    .allowing(atLeast(1))
                    .own()
                    .doc(
                            "Answers that may wait for a slow client on one connection before its reading pauses; what its socket holds comes on top.");

    private NetworkKeys() {}
}
