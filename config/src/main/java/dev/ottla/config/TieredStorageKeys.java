package dev.ottla.config;

import static dev.ottla.config.Allowed.atLeast;
import static dev.ottla.config.Allowed.fraction;
import static dev.ottla.config.Allowed.notEmpty;
import static dev.ottla.config.Feature.TIERED_STORAGE;
import static dev.ottla.config.Importance.LOW;
import static dev.ottla.config.Importance.MEDIUM;

/// Old segments kept in remote storage. Immutable.
public final class TieredStorageKeys {
    static final KeyArea KEYS = new KeyArea(Scope.BROKER, "Tiered storage");

    public static final ConfigKey<Long> LOG_LOCAL_RETENTION_MS =
            KEYS.int64("log.local.retention.ms", -2, MEDIUM)
                    .allowing(atLeast(-2))
                    .clusterWide()
                    .later(TIERED_STORAGE)
                    .doc(
                            "Age up to which a tiered partition keeps its segments here as well; -2 follows `log.retention.ms`.");

    public static final ConfigKey<Long> LOG_LOCAL_RETENTION_BYTES =
            KEYS.int64("log.local.retention.bytes", -2, MEDIUM)
                    .allowing(atLeast(-2))
                    .clusterWide()
                    .later(TIERED_STORAGE)
                    .doc(
                            "Size up to which a tiered partition keeps its segments here as well; -2 follows `log.retention.bytes`.");

    public static final ConfigKey<Long> LOG_REMOTE_COPY_LAG_MS =
            KEYS.int64("log.remote.copy.lag.ms", 0, MEDIUM)
                    .allowing(atLeast(-1))
                    .clusterWide()
                    .later(TIERED_STORAGE)
                    .doc(
                            "Age from which a closed segment is copied away; -1 waits for the local retention.");

    public static final ConfigKey<Long> LOG_REMOTE_COPY_LAG_BYTES =
            KEYS.int64("log.remote.copy.lag.bytes", -1, MEDIUM)
                    .allowing(atLeast(-1))
                    .clusterWide()
                    .later(TIERED_STORAGE)
                    .doc(
                            "Size behind the end of the log from which a closed segment is copied away; -1 waits for the local retention.");

    public static final ConfigKey<Boolean> FOLLOWER_FETCH_LAST_TIERED_OFFSET_ENABLE =
            KEYS.bool("follower.fetch.last.tiered.offset.enable", false, MEDIUM)
                    .clusterWide()
                    .later(TIERED_STORAGE)
                    .doc("Whether a new follower starts where the remote copy ends.");

    public static final ConfigKey<Integer> REMOTE_FETCH_MAX_WAIT_MS =
            KEYS.int32("remote.fetch.max.wait.ms", 500, MEDIUM)
                    .allowing(atLeast(1))
                    .clusterWide()
                    .later(TIERED_STORAGE)
                    .doc("How long a fetch waits for remote data.");

    public static final ConfigKey<Long> REMOTE_LIST_OFFSETS_REQUEST_TIMEOUT_MS =
            KEYS.int64("remote.list.offsets.request.timeout.ms", 30_000, MEDIUM)
                    .allowing(atLeast(1))
                    .clusterWide()
                    .later(TIERED_STORAGE)
                    .doc("How long a search for an offset in remote data may take.");

    public static final ConfigKey<Boolean> REMOTE_LOG_STORAGE_SYSTEM_ENABLE =
            KEYS.bool("remote.log.storage.system.enable", false, MEDIUM)
                    .later(TIERED_STORAGE)
                    .doc("Whether remote storage is used at all.");

    public static final ConfigKey<String> REMOTE_LOG_STORAGE_MANAGER_CLASS_NAME =
            KEYS.string("remote.log.storage.manager.class.name", MEDIUM)
                    .allowing(notEmpty())
                    .later(TIERED_STORAGE)
                    .doc("Which remote storage is used.");

    public static final ConfigKey<String> REMOTE_LOG_STORAGE_MANAGER_CLASS_PATH =
            KEYS.string("remote.log.storage.manager.class.path", MEDIUM)
                    .later(TIERED_STORAGE)
                    .doc("Where the code of the remote storage lies.");

    public static final ConfigKey<String> REMOTE_LOG_STORAGE_MANAGER_IMPL_PREFIX =
            KEYS.string("remote.log.storage.manager.impl.prefix", "rsm.config.", MEDIUM)
                    .allowing(notEmpty())
                    .later(TIERED_STORAGE)
                    .doc("Prefix of the keys that are handed to the remote storage.");

    public static final ConfigKey<String> REMOTE_LOG_METADATA_MANAGER_CLASS_NAME =
            KEYS.string(
                            "remote.log.metadata.manager.class.name",
                            "org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager",
                            MEDIUM)
                    .allowing(notEmpty())
                    .later(TIERED_STORAGE)
                    .doc("What keeps track of the remote segments.");

    public static final ConfigKey<String> REMOTE_LOG_METADATA_MANAGER_CLASS_PATH =
            KEYS.string("remote.log.metadata.manager.class.path", MEDIUM)
                    .later(TIERED_STORAGE)
                    .doc("Where the code that keeps track of the remote segments lies.");

    public static final ConfigKey<String> REMOTE_LOG_METADATA_MANAGER_IMPL_PREFIX =
            KEYS.string("remote.log.metadata.manager.impl.prefix", "rlmm.config.", MEDIUM)
                    .allowing(notEmpty())
                    .later(TIERED_STORAGE)
                    .doc(
                            "Prefix of the keys that are handed to what keeps track of the remote segments.");

    public static final ConfigKey<String> REMOTE_LOG_METADATA_MANAGER_LISTENER_NAME =
            KEYS.string("remote.log.metadata.manager.listener.name", MEDIUM)
                    .allowing(notEmpty())
                    .later(TIERED_STORAGE)
                    .doc(
                            "Listener over which what keeps track of the remote segments reaches the brokers.");

    public static final ConfigKey<Integer> REMOTE_LOG_METADATA_CUSTOM_METADATA_MAX_BYTES =
            KEYS.int32("remote.log.metadata.custom.metadata.max.bytes", 128, LOW)
                    .allowing(atLeast(0))
                    .later(TIERED_STORAGE)
                    .doc("Largest note that the remote storage may attach to a segment.");

    public static final ConfigKey<Long> REMOTE_LOG_INDEX_FILE_CACHE_TOTAL_SIZE_BYTES =
            KEYS.int64("remote.log.index.file.cache.total.size.bytes", 1_073_741_824, LOW)
                    .allowing(atLeast(1))
                    .clusterWide()
                    .later(TIERED_STORAGE)
                    .doc("Disk that indexes of remote segments may take here.");

    public static final ConfigKey<Long> REMOTE_LOG_INDEX_FILE_CACHE_TTL_MS =
            KEYS.int64("remote.log.index.file.cache.ttl.ms", 900_000, LOW)
                    .allowing(atLeast(-1))
                    .internal()
                    .later(TIERED_STORAGE)
                    .doc(
                            "Time without use after which an index of a remote segment is dropped here; -1 keeps it.");

    public static final ConfigKey<Integer> REMOTE_LOG_MANAGER_THREAD_POOL_SIZE =
            KEYS.int32("remote.log.manager.thread.pool.size", 2, MEDIUM)
                    .allowing(atLeast(1))
                    .later(TIERED_STORAGE)
                    .doc("Threads that plan copies and deletions.");

    public static final ConfigKey<Integer> REMOTE_LOG_MANAGER_COPIER_THREAD_POOL_SIZE =
            KEYS.int32("remote.log.manager.copier.thread.pool.size", 10, MEDIUM)
                    .allowing(atLeast(1))
                    .clusterWide()
                    .later(TIERED_STORAGE)
                    .doc("Threads that copy segments away.");

    public static final ConfigKey<Integer> REMOTE_LOG_MANAGER_EXPIRATION_THREAD_POOL_SIZE =
            KEYS.int32("remote.log.manager.expiration.thread.pool.size", 10, MEDIUM)
                    .allowing(atLeast(1))
                    .clusterWide()
                    .later(TIERED_STORAGE)
                    .doc("Threads that delete remote segments.");

    public static final ConfigKey<Integer> REMOTE_LOG_MANAGER_FOLLOWER_THREAD_POOL_SIZE =
            KEYS.int32("remote.log.manager.follower.thread.pool.size", 2, MEDIUM)
                    .allowing(atLeast(1))
                    .clusterWide()
                    .later(TIERED_STORAGE)
                    .doc("Threads that keep followers informed of remote segments.");

    public static final ConfigKey<Long> REMOTE_LOG_MANAGER_TASK_INTERVAL_MS =
            KEYS.int64("remote.log.manager.task.interval.ms", 30_000, LOW)
                    .allowing(atLeast(1))
                    .later(TIERED_STORAGE)
                    .doc("Pause between two looks for segments to copy or delete.");

    public static final ConfigKey<Long> REMOTE_LOG_MANAGER_TASK_RETRY_BACKOFF_MS =
            KEYS.int64("remote.log.manager.task.retry.backoff.ms", 500, LOW)
                    .allowing(atLeast(1))
                    .internal()
                    .later(TIERED_STORAGE)
                    .doc("First pause after a failed copy.");

    public static final ConfigKey<Long> REMOTE_LOG_MANAGER_TASK_RETRY_BACKOFF_MAX_MS =
            KEYS.int64("remote.log.manager.task.retry.backoff.max.ms", 30_000, LOW)
                    .allowing(atLeast(1))
                    .internal()
                    .later(TIERED_STORAGE)
                    .doc("Longest pause after a failed copy.");

    public static final ConfigKey<Double> REMOTE_LOG_MANAGER_TASK_RETRY_JITTER =
            KEYS.float64("remote.log.manager.task.retry.jitter", 0.2, LOW)
                    .allowing(fraction(0, 0.5))
                    .internal()
                    .later(TIERED_STORAGE)
                    .doc("Random share of the pause after a failed copy.");

    public static final ConfigKey<Integer> REMOTE_LOG_READER_THREADS =
            KEYS.int32("remote.log.reader.threads", 10, MEDIUM)
                    .allowing(atLeast(1))
                    .clusterWide()
                    .later(TIERED_STORAGE)
                    .doc("Threads that read remote segments.");

    public static final ConfigKey<Integer> REMOTE_LOG_READER_MAX_PENDING_TASKS =
            KEYS.int32("remote.log.reader.max.pending.tasks", 100, MEDIUM)
                    .allowing(atLeast(1))
                    .later(TIERED_STORAGE)
                    .doc("Remote reads that may wait for a thread.");

    public static final ConfigKey<Long> REMOTE_LOG_MANAGER_COPY_MAX_BYTES_PER_SECOND =
            KEYS.int64("remote.log.manager.copy.max.bytes.per.second", Long.MAX_VALUE, MEDIUM)
                    .allowing(atLeast(1))
                    .clusterWide()
                    .later(TIERED_STORAGE)
                    .doc("Bytes per second that may be copied away.");

    public static final ConfigKey<Integer> REMOTE_LOG_MANAGER_COPY_QUOTA_WINDOW_NUM =
            KEYS.int32("remote.log.manager.copy.quota.window.num", 11, MEDIUM)
                    .allowing(atLeast(1))
                    .later(TIERED_STORAGE)
                    .doc("Windows that copying is measured over.");

    public static final ConfigKey<Integer> REMOTE_LOG_MANAGER_COPY_QUOTA_WINDOW_SIZE_SECONDS =
            KEYS.int32("remote.log.manager.copy.quota.window.size.seconds", 1, MEDIUM)
                    .allowing(atLeast(1))
                    .later(TIERED_STORAGE)
                    .doc("Span of one window for copying.");

    public static final ConfigKey<Long> REMOTE_LOG_MANAGER_FETCH_MAX_BYTES_PER_SECOND =
            KEYS.int64("remote.log.manager.fetch.max.bytes.per.second", Long.MAX_VALUE, MEDIUM)
                    .allowing(atLeast(1))
                    .clusterWide()
                    .later(TIERED_STORAGE)
                    .doc("Bytes per second that may be fetched back.");

    public static final ConfigKey<Integer> REMOTE_LOG_MANAGER_FETCH_QUOTA_WINDOW_NUM =
            KEYS.int32("remote.log.manager.fetch.quota.window.num", 11, MEDIUM)
                    .allowing(atLeast(1))
                    .later(TIERED_STORAGE)
                    .doc("Windows that fetching back is measured over.");

    public static final ConfigKey<Integer> REMOTE_LOG_MANAGER_FETCH_QUOTA_WINDOW_SIZE_SECONDS =
            KEYS.int32("remote.log.manager.fetch.quota.window.size.seconds", 1, MEDIUM)
                    .allowing(atLeast(1))
                    .later(TIERED_STORAGE)
                    .doc("Span of one window for fetching back.");

    private TieredStorageKeys() {}
}
