package dev.ottla.wire;

import java.util.Optional;

/// Kafka's error codes. The messages are the general ones, for when there is nothing more precise
/// to say.
public enum ErrorCode {
    UNKNOWN_SERVER_ERROR(
            -1, false, "The broker met an error that it does not understand; its log says more."),
    NONE(0, false, "No error."),
    OFFSET_OUT_OF_RANGE(
            1,
            false,
            "The offset is before the log start offset or past the log end offset of the partition."),
    CORRUPT_MESSAGE(
            2,
            true,
            "The records are damaged: wrong checksum, wrong size, or no key on a compacted topic."),
    UNKNOWN_TOPIC_OR_PARTITION(3, true, "This broker has no such topic or partition."),
    INVALID_FETCH_SIZE(4, false, "The number of bytes to fetch is not valid."),
    LEADER_NOT_AVAILABLE(5, true, "The partition has no leader at the moment."),
    NOT_LEADER_OR_FOLLOWER(
            6, true, "This broker is not the leader of the partition, or holds no replica of it."),
    REQUEST_TIMED_OUT(7, true, "The time-out of the request passed before it was done."),
    BROKER_NOT_AVAILABLE(8, false, "The broker cannot be reached."),
    REPLICA_NOT_AVAILABLE(9, true, "The replica of the partition is not available on this broker."),
    MESSAGE_TOO_LARGE(10, false, "A batch is larger than max.message.bytes of its topic."),
    STALE_CONTROLLER_EPOCH(
            11, false, "The request comes from a controller that has been replaced."),
    OFFSET_METADATA_TOO_LARGE(
            12,
            false,
            "The metadata of a committed offset is longer than offset.metadata.max.bytes."),
    NETWORK_EXCEPTION(13, true, "The connection broke before the answer came."),
    COORDINATOR_LOAD_IN_PROGRESS(14, true, "The coordinator is still reading its state."),
    COORDINATOR_NOT_AVAILABLE(15, true, "There is no coordinator for this at the moment."),
    NOT_COORDINATOR(16, true, "Another broker is the coordinator."),
    INVALID_TOPIC_EXCEPTION(
            17, false, "The topic's name is not allowed, or not for this operation."),
    RECORD_LIST_TOO_LARGE(18, false, "The records are larger than one segment of the log."),
    NOT_ENOUGH_REPLICAS(
            19,
            true,
            "Fewer replicas are in sync than min.insync.replicas asks for; nothing was written."),
    NOT_ENOUGH_REPLICAS_AFTER_APPEND(
            20,
            true,
            "The records were written, but then fewer replicas were in sync than min.insync.replicas asks for."),
    INVALID_REQUIRED_ACKS(21, false, "The acks must be -1, 0 or 1."),
    ILLEGAL_GENERATION(22, false, "The generation is not the current one of the group."),
    INCONSISTENT_GROUP_PROTOCOL(
            23,
            false,
            "The member has no protocol in common with the group, or names none at all."),
    INVALID_GROUP_ID(24, false, "The group id is not valid."),
    UNKNOWN_MEMBER_ID(25, false, "The group has no member with this id."),
    INVALID_SESSION_TIMEOUT(
            26,
            false,
            "The session time-out is outside group.min.session.timeout.ms to group.max.session.timeout.ms."),
    REBALANCE_IN_PROGRESS(27, false, "The group is rebalancing; the member has to join again."),
    INVALID_COMMIT_OFFSET_SIZE(
            28, false, "The commit would make a batch that is too large for the offsets topic."),
    TOPIC_AUTHORIZATION_FAILED(29, false, "The principal may not do this on the topic."),
    GROUP_AUTHORIZATION_FAILED(30, false, "The principal may not do this on the group."),
    CLUSTER_AUTHORIZATION_FAILED(31, false, "The principal may not do this on the cluster."),
    INVALID_TIMESTAMP(
            32, false, "A record's timestamp is outside the bounds that its topic allows."),
    UNSUPPORTED_SASL_MECHANISM(33, false, "The broker does not offer this SASL mechanism."),
    ILLEGAL_SASL_STATE(34, false, "The request does not fit the state of the SASL exchange."),
    UNSUPPORTED_VERSION(
            35, false, "The broker does not support this version of the API or feature."),
    TOPIC_ALREADY_EXISTS(36, false, "A topic with this name exists already."),
    INVALID_PARTITIONS(37, false, "The number of partitions is not valid."),
    INVALID_REPLICATION_FACTOR(
            38,
            false,
            "The replication factor is below 1 or above the number of available brokers."),
    INVALID_REPLICA_ASSIGNMENT(39, false, "The assignment of replicas to brokers is not valid."),
    INVALID_CONFIG(40, false, "A configuration key or its value is not valid."),
    NOT_CONTROLLER(41, true, "This node is not the active controller."),
    INVALID_REQUEST(
            42, false, "The request is well-formed, but its content contradicts the protocol."),
    UNSUPPORTED_FOR_MESSAGE_FORMAT(
            43, false, "The record format of the partition does not support this."),
    POLICY_VIOLATION(44, false, "A policy of this cluster forbids the request."),
    OUT_OF_ORDER_SEQUENCE_NUMBER(
            45, false, "The producer's sequence number does not follow the last one."),
    DUPLICATE_SEQUENCE_NUMBER(46, false, "The producer's sequence number was used before."),
    INVALID_PRODUCER_EPOCH(47, false, "The producer's epoch is older than the current one."),
    INVALID_TXN_STATE(48, false, "The transaction is in a state that does not allow this."),
    INVALID_PRODUCER_ID_MAPPING(
            49, false, "The producer id does not belong to this transactional id."),
    INVALID_TRANSACTION_TIMEOUT(
            50, false, "The transaction time-out is larger than transaction.max.timeout.ms."),
    CONCURRENT_TRANSACTIONS(
            51, true, "Another operation on the same transaction is still under way."),
    TRANSACTION_COORDINATOR_FENCED(
            52, false, "The transaction markers come from a coordinator that has been replaced."),
    TRANSACTIONAL_ID_AUTHORIZATION_FAILED(
            53, false, "The principal may not use this transactional id."),
    SECURITY_DISABLED(
            54, false, "The cluster runs without the security feature that the request is about."),
    OPERATION_NOT_ATTEMPTED(
            55,
            false,
            "The operation was not tried, because another one in the same request failed."),
    KAFKA_STORAGE_ERROR(
            56, true, "The disk of the partition failed; its data directory is offline."),
    LOG_DIR_NOT_FOUND(57, false, "The broker has no such data directory."),
    SASL_AUTHENTICATION_FAILED(58, false, "The SASL authentication failed."),
    UNKNOWN_PRODUCER_ID(
            59,
            false,
            "The partition knows nothing about this producer id, perhaps because its records have expired."),
    REASSIGNMENT_IN_PROGRESS(60, false, "A reassignment of the partition is under way."),
    DELEGATION_TOKEN_AUTH_DISABLED(
            61, false, "Delegation tokens are switched off in this cluster."),
    DELEGATION_TOKEN_NOT_FOUND(62, false, "There is no such delegation token."),
    DELEGATION_TOKEN_OWNER_MISMATCH(
            63, false, "The principal neither owns the delegation token nor may renew it."),
    DELEGATION_TOKEN_REQUEST_NOT_ALLOWED(
            64,
            false,
            "This connection may not ask for delegation tokens: it is not authenticated, or by such a token itself."),
    DELEGATION_TOKEN_AUTHORIZATION_FAILED(
            65, false, "The principal may not do this with the delegation token."),
    DELEGATION_TOKEN_EXPIRED(66, false, "The delegation token has expired."),
    INVALID_PRINCIPAL_TYPE(67, false, "The type of the principal is not supported."),
    NON_EMPTY_GROUP(68, false, "The group still has members."),
    GROUP_ID_NOT_FOUND(69, false, "There is no such group."),
    FETCH_SESSION_ID_NOT_FOUND(
            70, true, "The broker does not know this fetch session, or has dropped it."),
    INVALID_FETCH_SESSION_EPOCH(71, true, "The epoch is not the next one of the fetch session."),
    LISTENER_NOT_FOUND(
            72, true, "The leader has no listener with the name of the one that was asked."),
    TOPIC_DELETION_DISABLED(
            73, false, "delete.topic.enable is false, so topics cannot be deleted."),
    FENCED_LEADER_EPOCH(
            74, true, "The leader epoch is older than the current one of the partition."),
    UNKNOWN_LEADER_EPOCH(75, true, "The leader epoch is newer than the one this broker knows of."),
    UNSUPPORTED_COMPRESSION_TYPE(
            76, false, "The client's version of the API does not know the codec of the records."),
    STALE_BROKER_EPOCH(77, false, "The broker epoch is not the current one of that broker."),
    OFFSET_NOT_AVAILABLE(78, true, "The new leader does not know yet which offsets are committed."),
    MEMBER_ID_REQUIRED(
            79, false, "The member has to join again with the id that this answer gives it."),
    PREFERRED_LEADER_NOT_AVAILABLE(80, true, "The preferred leader is not available."),
    GROUP_MAX_SIZE_REACHED(81, false, "The group has as many members as group.max.size allows."),
    FENCED_INSTANCE_ID(82, false, "Another member has registered with the same group.instance.id."),
    ELIGIBLE_LEADERS_NOT_AVAILABLE(83, true, "No replica that may become leader is available."),
    ELECTION_NOT_NEEDED(84, true, "The partition has the wanted leader already."),
    NO_REASSIGNMENT_IN_PROGRESS(85, false, "No reassignment of the partition is under way."),
    GROUP_SUBSCRIBED_TO_TOPIC(
            86, false, "The group is subscribed to the topic, so its offsets cannot be deleted."),
    INVALID_RECORD(87, false, "A record breaks the rules of its topic or of the record format."),
    UNSTABLE_OFFSET_COMMIT(
            88, true, "Offsets of the group belong to a transaction that is still open."),
    THROTTLING_QUOTA_EXCEEDED(89, true, "The quota is used up; try again after the throttle time."),
    PRODUCER_FENCED(90, false, "A newer producer uses the same transactional id."),
    RESOURCE_NOT_FOUND(91, false, "There is no such resource."),
    DUPLICATE_RESOURCE(
            92, false, "The request names a resource twice, or one that exists already."),
    UNACCEPTABLE_CREDENTIAL(
            93, false, "The credential does not meet the requirements of this cluster."),
    INCONSISTENT_VOTER_SET(
            94, false, "Sender or receiver is not among the voters that the request is meant for."),
    INVALID_UPDATE_VERSION(
            95,
            false,
            "What the change was made for is not the present state: it has changed since."),
    FEATURE_UPDATE_FAILED(96, false, "The features could not be updated."),
    PRINCIPAL_DESERIALIZATION_FAILURE(
            97, false, "The principal of a forwarded request cannot be read."),
    SNAPSHOT_NOT_FOUND(98, false, "There is no such snapshot."),
    POSITION_OUT_OF_RANGE(99, false, "The position is outside the snapshot."),
    UNKNOWN_TOPIC_ID(100, true, "This broker knows no topic with this id."),
    DUPLICATE_BROKER_REGISTRATION(101, false, "Another running broker is registered with this id."),
    BROKER_ID_NOT_REGISTERED(102, false, "No broker is registered with this id."),
    INCONSISTENT_TOPIC_ID(103, true, "The topic with this name has another id."),
    INCONSISTENT_CLUSTER_ID(104, false, "The request is meant for a cluster with another id."),
    TRANSACTIONAL_ID_NOT_FOUND(105, false, "There is no such transactional id."),
    FETCH_SESSION_TOPIC_ID_ERROR(106, true, "The fetch session mixes topic ids with topic names."),
    INELIGIBLE_REPLICA(107, false, "The proposed ISR has a replica that may not be in it."),
    NEW_LEADER_ELECTED(
            108, false, "The change was made, and the partition has another leader now."),
    OFFSET_MOVED_TO_TIERED_STORAGE(109, false, "The offset is in the tiered storage only."),
    FENCED_MEMBER_EPOCH(
            110,
            false,
            "The coordinator has fenced this member epoch: the member has to give up its partitions and join again."),
    UNRELEASED_INSTANCE_ID(111, false, "A member that has not left yet holds this instance id."),
    UNSUPPORTED_ASSIGNOR(112, false, "The group cannot use this assignor or this version of it."),
    STALE_MEMBER_EPOCH(
            113,
            false,
            "The member epoch is not the current one: try again after the next heartbeat."),
    MISMATCHED_ENDPOINT_TYPE(
            114,
            false,
            "The request went to the wrong kind of listener: broker instead of controller or the other way round."),
    UNSUPPORTED_ENDPOINT_TYPE(115, false, "This kind of endpoint is not supported."),
    UNKNOWN_CONTROLLER_ID(116, false, "There is no controller with this id."),
    UNKNOWN_SUBSCRIPTION_ID(117, false, "The telemetry subscription is not the current one."),
    TELEMETRY_TOO_LARGE(118, false, "The telemetry is larger than telemetry.max.bytes."),
    INVALID_REGISTRATION(119, false, "The controller refuses the registration."),
    TRANSACTION_ABORTABLE(120, false, "The transaction cannot be completed; abort it and go on."),
    INVALID_RECORD_STATE(
            121, false, "The records are not in a state in which they can be acknowledged."),
    SHARE_SESSION_NOT_FOUND(122, true, "The broker does not know this share session."),
    INVALID_SHARE_SESSION_EPOCH(123, true, "The epoch is not the next one of the share session."),
    FENCED_STATE_EPOCH(
            124, false, "The state epoch is not the one that the share coordinator has."),
    INVALID_VOTER_KEY(125, false, "The voter is known under another directory id."),
    DUPLICATE_VOTER(126, false, "The node is a voter already."),
    VOTER_NOT_FOUND(127, false, "The node is not a voter."),
    INVALID_REGULAR_EXPRESSION(128, false, "The regular expression cannot be compiled."),
    REBOOTSTRAP_REQUIRED(
            129,
            false,
            "What the client knows about the cluster is wrong; it has to start again from its bootstrap addresses."),
    STREAMS_INVALID_TOPOLOGY(130, false, "The streams topology is not valid."),
    STREAMS_INVALID_TOPOLOGY_EPOCH(131, false, "The epoch of the streams topology is not valid."),
    STREAMS_TOPOLOGY_FENCED(132, false, "The group has a newer streams topology."),
    SHARE_SESSION_LIMIT_REACHED(133, true, "The broker has as many share sessions as it allows."),
    GROUP_DELETION_FAILED(
            134, false, "The group could not be deleted; the message of its result says why."),
    STREAMS_TOPOLOGY_DESCRIPTION_UPDATE_FAILED(
            135,
            false,
            "The description of the streams topology could not be stored; the message says why."),
    CONTROLLER_ID_NOT_REGISTERED(136, false, "No controller is registered with this id.");

    private static final int LOWEST_CODE = -1;
    private static final ErrorCode[] BY_CODE = byCode();

    private final short code;
    private final boolean retriable;
    private final String message;

    ErrorCode(int code, boolean retriable, String message) {
        this.code = (short) code;
        this.retriable = retriable;
        this.message = message;
    }

    /// Empty for a code that Kafka 4.4 does not have.
    public static Optional<ErrorCode> forCode(int code) {
        int index = code - LOWEST_CODE;
        return index < 0 || index >= BY_CODE.length
                ? Optional.empty()
                : Optional.of(BY_CODE[index]);
    }

    /// As it stands on the wire.
    public short code() {
        return code;
    }

    /// Whether clients may send the same request again and hope.
    public boolean retriable() {
        return retriable;
    }

    public String message() {
        return message;
    }

    // The codes have no gaps; a test compares them with Kafka's.
    private static ErrorCode[] byCode() {
        ErrorCode[] byCode = new ErrorCode[values().length];
        for (ErrorCode error : values()) byCode[error.code - LOWEST_CODE] = error;
        return byCode;
    }
}
