package dev.ottla.broker.handler.data;

import java.util.Set;

/// Topics that the coordinators keep their state in. Clients may read them; only Kafka's admin
/// client may write.
final class InternalTopics {
    /// The client id of Kafka's own administrative tools.
    private static final String ADMIN_CLIENT = "__admin_client";

    private static final Set<String> NAMES =
            Set.of("__consumer_offsets", "__transaction_state", "__share_group_state");

    private InternalTopics() {}

    static boolean isInternal(String topic) {
        return NAMES.contains(topic);
    }

    static boolean mayWrite(String clientId) {
        return clientId.equals(ADMIN_CLIENT);
    }
}
