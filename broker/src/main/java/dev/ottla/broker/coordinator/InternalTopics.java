package dev.ottla.broker.coordinator;

import java.util.Set;

/// Topics that the coordinators keep their state in. Clients may read them; only Kafka's admin
/// client may write.
public final class InternalTopics {
    public static final String CONSUMER_OFFSETS = "__consumer_offsets";
    public static final String TRANSACTION_STATE = "__transaction_state";
    public static final String SHARE_GROUP_STATE = "__share_group_state";

    /// The client id of Kafka's own administrative tools.
    private static final String ADMIN_CLIENT = "__admin_client";

    private static final Set<String> NAMES =
            Set.of(CONSUMER_OFFSETS, TRANSACTION_STATE, SHARE_GROUP_STATE);

    private InternalTopics() {}

    public static boolean contains(String topic) {
        return NAMES.contains(topic);
    }

    public static boolean mayWrite(String clientId) {
        return clientId.equals(ADMIN_CLIENT);
    }
}
