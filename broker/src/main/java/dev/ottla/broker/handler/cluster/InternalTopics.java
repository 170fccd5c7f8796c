package dev.ottla.broker.handler.cluster;

import java.util.Set;

/// Topics that belong to the broker itself.
public final class InternalTopics {
    public static final String CONSUMER_OFFSETS = "__consumer_offsets";
    public static final String TRANSACTION_STATE = "__transaction_state";
    public static final String SHARE_GROUP_STATE = "__share_group_state";

    private static final Set<String> NAMES =
            Set.of(CONSUMER_OFFSETS, TRANSACTION_STATE, SHARE_GROUP_STATE);

    private InternalTopics() {}

    public static boolean contains(String topic) {
        return NAMES.contains(topic);
    }
}
