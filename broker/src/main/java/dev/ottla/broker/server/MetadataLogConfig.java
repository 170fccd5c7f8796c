package dev.ottla.broker.server;

import dev.ottla.config.ConfigValues;
import dev.ottla.config.QuorumKeys;
import dev.ottla.quorum.store.MetadataStoreOptions;

/// What the configuration says about the metadata log.
final class MetadataLogConfig {
    private MetadataLogConfig() {}

    static MetadataStoreOptions options(ConfigValues broker) {
        return new MetadataStoreOptions(
                MetadataStoreOptions.MAX_BATCH_BYTES,
                broker.value(QuorumKeys.METADATA_LOG_SEGMENT_BYTES),
                broker.value(QuorumKeys.METADATA_LOG_SEGMENT_MS),
                broker.value(QuorumKeys.METADATA_LOG_MAX_RECORD_BYTES_BETWEEN_SNAPSHOTS),
                broker.value(QuorumKeys.METADATA_LOG_MAX_SNAPSHOT_INTERVAL_MS),
                broker.value(QuorumKeys.METADATA_MAX_RETENTION_BYTES),
                broker.value(QuorumKeys.METADATA_MAX_RETENTION_MS));
    }
}
