package dev.ottla.metadata.controller;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.ottla.config.TopicKeys;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.VersionRange;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Changes of the levels of features (KIP-584, KIP-778): all of a command or none.
final class FeatureCommands {
    private final Context context;

    FeatureCommands(Context context) {
        this.context = context;
    }

    /// Of a feature that is named twice the last update counts.
    Outcome<ApiError> update(List<UpdateFeature> updates, boolean validateOnly) {
        ClusterImage image = context.image();
        Map<String, UpdateFeature> byName = new TreeMap<>();
        updates.forEach(update -> byName.put(update.name(), update));
        List<MetadataRecord> records = new ArrayList<>();
        for (UpdateFeature update : byName.values()) {
            try {
                check(image, update);
            } catch (Refusal refusal) {
                return Outcome.unchanged(refusal.error());
            }
            if (update.level() != image.featureLevel(update.name())) {
                records.add(new MetadataRecord.FeatureLevel(update.name(), update.level()));
                if (update.name().equals(Features.ELR_VERSION)) {
                    records.addAll(elrChange(image));
                }
            }
        }
        return new Outcome<>(validateOnly ? List.of() : records, ApiError.NONE);
    }

    private static void check(ClusterImage image, UpdateFeature update) throws Refusal {
        String name = update.name();
        short level = update.level();
        VersionRange known = Features.supported().get(name);
        if (known == null) {
            throw invalid(
                    "There is no feature %s to set to %d: this controller knows %s.",
                    name, level, new TreeMap<>(Features.supported()).keySet());
        }
        if (!known.contains(level)) {
            throw invalid(
                    "%s cannot be set to %d: this controller supports %s.", name, level, known);
        }
        for (BrokerState broker : image.brokers().values()) {
            Optional<VersionRange> range = Optional.ofNullable(broker.features().get(name));
            boolean supported = range.map(levels -> levels.contains(level)).orElse(level == 0);
            if (!supported) {
                throw invalid(
                        "%s cannot be set to %d: broker %d supports %s; upgrade it first, or remove"
                                + " it from the cluster.",
                        name,
                        level,
                        broker.id(),
                        range.map(VersionRange::toString).orElse("no level of it"));
            }
        }
        checkDirection(update, image.featureLevel(name));
    }

    private static void checkDirection(UpdateFeature update, short present) throws Refusal {
        boolean upgrade = update.direction() == UpdateFeature.Direction.UPGRADE;
        if (update.level() < present && upgrade) {
            throw invalid(
                    "%s is at %d: to go down to %d ask for a downgrade, a safe or an unsafe one.",
                    update.name(), present, update.level());
        }
        if (update.level() > present && !upgrade) {
            throw invalid(
                    "%s is at %d: to go up to %d ask for an upgrade.",
                    update.name(), present, update.level());
        }
    }

    @FormatMethod
    private static Refusal invalid(@FormatString String format, Object... arguments) {
        return Refusal.of(ErrorCode.INVALID_UPDATE_VERSION, format, arguments);
    }

    /// Who is eligible depends on `min.insync.replicas`, so while that is kept the setting must be
    /// the same everywhere; and nothing that was known under other rules counts.
    private static List<MetadataRecord> elrChange(ClusterImage image) {
        List<MetadataRecord> records = new ArrayList<>();
        String key = TopicKeys.MIN_INSYNC_REPLICAS.name();
        for (ConfigResource resource : image.configuredResources()) {
            if (resource.type() == ConfigResource.Type.BROKER
                    && !resource.name().isEmpty()
                    && image.config(resource).containsKey(key)) {
                records.add(new MetadataRecord.Config(resource, key, Optional.empty()));
            }
        }
        records.add(new MetadataRecord.ClearElr(""));
        return records;
    }
}
