package dev.ottla.broker.coordinator;

import dev.ottla.config.ConfigResolver;
import dev.ottla.config.ConfigValues;
import dev.ottla.config.GroupKeys;
import dev.ottla.config.GroupOverrideKeys;
import dev.ottla.config.TopicKeys;
import dev.ottla.group.GroupConfigs;
import dev.ottla.group.classic.ClassicSettings;
import dev.ottla.group.consumer.ConsumerSettings;
import dev.ottla.group.consumer.ConsumerSettings.MigrationPolicy;
import dev.ottla.group.offset.OffsetSettings;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.image.ClusterImage;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Group settings from the configuration in force. Owned by one shard's thread, which asks at every
/// operation: so results are kept until the configuration is another.
final class LiveGroupConfigs implements GroupConfigs {
    private static final long MS_PER_MINUTE = 60_000;
    private static final int MAX_KEPT = 1000;

    private final Supplier<ConfigResolver> config;
    private final Supplier<ClusterImage> image;

    /// Everything below belongs to this resolver.
    private @Nullable ConfigResolver resolver;

    private ClassicSettings classic = ClassicSettings.DEFAULT;
    private OffsetSettings offsets = OffsetSettings.DEFAULT;
    private ConsumerSettings withoutOverrides = ConsumerSettings.DEFAULT;

    /// By what a group sets itself; dropped when the broker's configuration changes, or when there
    /// are [#MAX_KEPT] different ones.
    private final Map<Map<String, String>, ConsumerSettings> byOverrides = new HashMap<>();

    LiveGroupConfigs(Supplier<ConfigResolver> config, Supplier<ClusterImage> image) {
        this.config = config;
        this.image = image;
    }

    @Override
    public ClassicSettings classic() {
        refresh();
        return classic;
    }

    @Override
    public OffsetSettings offsets() {
        refresh();
        return offsets;
    }

    @Override
    public ConsumerSettings consumer(String groupId) {
        ConfigResolver current = refresh();
        Map<String, String> overrides = image.get().config(ConfigResource.group(groupId));
        if (overrides.isEmpty()) return withoutOverrides;
        if (byOverrides.size() >= MAX_KEPT) byOverrides.clear();
        return byOverrides.computeIfAbsent(overrides, own -> consumer(current, own));
    }

    private ConfigResolver refresh() {
        ConfigResolver current = config.get();
        if (current == resolver) return current;
        resolver = current;
        byOverrides.clear();
        ConfigValues values = current.broker();
        int batchBytes = current.topic(Map.of(), 1).value(TopicKeys.MAX_MESSAGE_BYTES);
        classic =
                new ClassicSettings(
                        values.value(GroupKeys.GROUP_MIN_SESSION_TIMEOUT_MS),
                        values.value(GroupKeys.GROUP_MAX_SESSION_TIMEOUT_MS),
                        values.value(GroupKeys.GROUP_INITIAL_REBALANCE_DELAY_MS),
                        values.value(GroupKeys.GROUP_MAX_SIZE),
                        batchBytes);
        Optional<Integer> retentionMinutes =
                Optional.of(values.value(GroupKeys.OFFSETS_RETENTION_MINUTES))
                        .filter(minutes -> minutes != Integer.MAX_VALUE);
        offsets =
                new OffsetSettings(
                        values.value(GroupKeys.OFFSET_METADATA_MAX_BYTES),
                        retentionMinutes
                                .map(minutes -> OptionalLong.of(minutes * MS_PER_MINUTE))
                                .orElse(OptionalLong.empty()),
                        values.value(GroupKeys.OFFSETS_RETENTION_CHECK_INTERVAL_MS),
                        batchBytes);
        withoutOverrides = consumer(current, Map.of());
        return current;
    }

    private static ConsumerSettings consumer(
            ConfigResolver resolver, Map<String, String> overrides) {
        ConfigValues broker = resolver.broker();
        ConfigValues group = resolver.group(overrides);
        List<String> assignors = broker.value(GroupKeys.GROUP_CONSUMER_ASSIGNORS);
        String policy = broker.value(GroupKeys.GROUP_CONSUMER_MIGRATION_POLICY);
        return new ConsumerSettings(
                group.value(GroupOverrideKeys.CONSUMER_SESSION_TIMEOUT_MS),
                group.value(GroupOverrideKeys.CONSUMER_HEARTBEAT_INTERVAL_MS),
                group.value(GroupOverrideKeys.CONSUMER_ASSIGNMENT_INTERVAL_MS),
                broker.value(GroupKeys.GROUP_CONSUMER_REGEX_REFRESH_INTERVAL_MS),
                broker.value(GroupKeys.GROUP_CONSUMER_MAX_SIZE),
                assignors,
                MigrationPolicy.valueOf(policy.toUpperCase(Locale.ROOT)));
    }
}
