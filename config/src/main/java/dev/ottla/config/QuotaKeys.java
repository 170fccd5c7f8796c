package dev.ottla.config;

import static dev.ottla.config.Allowed.atLeast;
import static dev.ottla.config.Feature.QUOTAS;
import static dev.ottla.config.Importance.LOW;

/// Limits on what clients and replication may use. Immutable.
public final class QuotaKeys {
    static final KeyArea KEYS = new KeyArea(Scope.BROKER, "Quotas");

    public static final ConfigKey<Integer> QUOTA_WINDOW_NUM =
            KEYS.int32("quota.window.num", 11, LOW)
                    .allowing(atLeast(1))
                    .later(QUOTAS)
                    .doc("Windows that client quotas are measured over.");

    public static final ConfigKey<Integer> QUOTA_WINDOW_SIZE_SECONDS =
            KEYS.int32("quota.window.size.seconds", 1, LOW)
                    .allowing(atLeast(1))
                    .later(QUOTAS)
                    .doc("Span of one window of client quotas.");

    public static final ConfigKey<Integer> CONTROLLER_QUOTA_WINDOW_NUM =
            KEYS.int32("controller.quota.window.num", 11, LOW)
                    .allowing(atLeast(1))
                    .later(QUOTAS)
                    .doc("Windows that quotas on changes of topics are measured over.");

    public static final ConfigKey<Integer> CONTROLLER_QUOTA_WINDOW_SIZE_SECONDS =
            KEYS.int32("controller.quota.window.size.seconds", 1, LOW)
                    .allowing(atLeast(1))
                    .later(QUOTAS)
                    .doc("Span of one window of quotas on changes of topics.");

    public static final ConfigKey<Integer> REPLICATION_QUOTA_WINDOW_NUM =
            KEYS.int32("replication.quota.window.num", 11, LOW)
                    .allowing(atLeast(1))
                    .later(QUOTAS)
                    .doc("Windows that replication quotas are measured over.");

    public static final ConfigKey<Integer> REPLICATION_QUOTA_WINDOW_SIZE_SECONDS =
            KEYS.int32("replication.quota.window.size.seconds", 1, LOW)
                    .allowing(atLeast(1))
                    .later(QUOTAS)
                    .doc("Span of one window of replication quotas.");

    public static final ConfigKey<Integer> ALTER_LOG_DIRS_REPLICATION_QUOTA_WINDOW_NUM =
            KEYS.int32("alter.log.dirs.replication.quota.window.num", 11, LOW)
                    .allowing(atLeast(1))
                    .later(QUOTAS)
                    .doc("Windows that moves between data directories are measured over.");

    public static final ConfigKey<Integer> ALTER_LOG_DIRS_REPLICATION_QUOTA_WINDOW_SIZE_SECONDS =
            KEYS.int32("alter.log.dirs.replication.quota.window.size.seconds", 1, LOW)
                    .allowing(atLeast(1))
                    .later(QUOTAS)
                    .doc("Span of one window for moves between data directories.");

    public static final ConfigKey<String> CLIENT_QUOTA_CALLBACK_CLASS =
            KEYS.className("client.quota.callback.class", LOW)
                    .noEffect(Reasons.PLUGIN)
                    .doc("Class that decides which quota applies to a client.");

    private QuotaKeys() {}
}
