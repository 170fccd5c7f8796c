package dev.ottla.metadata.controller;

import dev.ottla.config.ConfigKey;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.ConfigType;
import dev.ottla.config.ConfigValues;
import dev.ottla.config.TopicKeys;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Changes of configurations. Each resource succeeds or fails by itself.
final class ConfigCommands {
    private final Context context;

    ConfigCommands(Context context) {
        this.context = context;
    }

    Outcome<List<ConfigResult>> alter(List<AlterConfigs> changes, boolean validateOnly) {
        Set<ConfigResource> repeated =
                repeated(changes.stream().map(AlterConfigs::resource).toList());
        List<MetadataRecord> records = new ArrayList<>();
        List<ConfigResult> results = new ArrayList<>();
        for (AlterConfigs change : changes) {
            ApiError error = ApiError.NONE;
            try {
                checkResource(change.resource(), repeated);
                records.addAll(difference(change.resource(), applied(change)));
            } catch (Refusal refusal) {
                error = refusal.error();
            }
            results.add(new ConfigResult(change.resource(), error));
        }
        return new Outcome<>(validateOnly ? List.of() : records, results);
    }

    Outcome<List<ConfigResult>> replace(List<ReplaceConfigs> changes, boolean validateOnly) {
        Set<ConfigResource> repeated =
                repeated(changes.stream().map(ReplaceConfigs::resource).toList());
        List<MetadataRecord> records = new ArrayList<>();
        List<ConfigResult> results = new ArrayList<>();
        for (ReplaceConfigs change : changes) {
            ApiError error = ApiError.NONE;
            try {
                checkResource(change.resource(), repeated);
                Map<String, String> wanted = new TreeMap<>();
                for (var config : change.configs().entrySet()) {
                    wanted.put(
                            config.getKey(),
                            config.getValue()
                                    .orElseThrow(
                                            () -> noValue(change.resource(), config.getKey())));
                }
                records.addAll(difference(change.resource(), wanted));
            } catch (Refusal refusal) {
                error = refusal.error();
            }
            results.add(new ConfigResult(change.resource(), error));
        }
        return new Outcome<>(validateOnly ? List.of() : records, results);
    }

    private void checkResource(ConfigResource resource, Set<ConfigResource> repeated)
            throws Refusal {
        if (repeated.contains(resource)) {
            throw Refusal.of(
                    ErrorCode.INVALID_REQUEST,
                    "The %s is named more than once: name it once.",
                    resource);
        }
        switch (resource.type()) {
            case TOPIC -> checkTopic(resource.name());
            case BROKER -> checkBroker(resource.name());
            case BROKER_LOGGER ->
                    throw Refusal.of(
                            ErrorCode.INVALID_REQUEST,
                            "The levels of loggers belong to one broker: send the change to it.");
            case GROUP, CLIENT_METRICS -> {
                if (resource.name().isEmpty()) throw noName(resource.type());
            }
        }
    }

    private void checkTopic(String name) throws Refusal {
        if (name.isEmpty()) throw noName(ConfigResource.Type.TOPIC);
        Optional<String> problem = TopicNames.problem(name);
        if (problem.isPresent()) {
            throw new Refusal(new ApiError(ErrorCode.INVALID_TOPIC_EXCEPTION, problem.get()));
        }
        if (context.image().topic(name).isEmpty()) {
            throw Refusal.of(
                    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                    "There is no topic '%s': check the name.",
                    name);
        }
    }

    private void checkBroker(String name) throws Refusal {
        if (name.isEmpty()) return;
        int id;
        try {
            id = Integer.parseInt(name);
        } catch (NumberFormatException _) {
            throw Refusal.of(
                    ErrorCode.INVALID_REQUEST,
                    "'%s' is no broker id: use a number, or the empty name for all brokers.",
                    name);
        }
        if (context.image().broker(id).isEmpty()) {
            throw Refusal.of(
                    ErrorCode.BROKER_ID_NOT_REGISTERED,
                    "No broker %d is registered: use one of %s.",
                    id,
                    context.image().brokers().keySet());
        }
    }

    private static Refusal noName(ConfigResource.Type type) {
        return Refusal.of(
                ErrorCode.INVALID_REQUEST,
                "There are no settings for every %s: name one.",
                type.words());
    }

    private static Refusal noValue(ConfigResource resource, String key) {
        return Refusal.of(
                ErrorCode.INVALID_REQUEST,
                "%s of the %s has no value: give one, or delete the key.",
                key,
                resource);
    }

    /// What the resource sets once the steps are taken.
    private Map<String, String> applied(AlterConfigs change) throws Refusal {
        ConfigResource resource = change.resource();
        Map<String, String> configs = new TreeMap<>(context.image().config(resource));
        Set<String> seen = new HashSet<>();
        for (ConfigOp op : change.ops()) {
            if (!seen.add(op.key())) {
                throw Refusal.of(
                        ErrorCode.INVALID_REQUEST,
                        "%s of the %s is changed twice: change it once.",
                        op.key(),
                        resource);
            }
            if (op.kind() == ConfigOp.Kind.DELETE) {
                configs.remove(op.key());
                continue;
            }
            if (op.value().isEmpty()) throw noValue(resource, op.key());
            String value = op.value().get();
            configs.put(
                    op.key(),
                    op.kind() == ConfigOp.Kind.SET
                            ? value
                            : changedList(resource, op.key(), op.kind(), value, configs));
        }
        return configs;
    }

    private String changedList(
            ConfigResource resource,
            String name,
            ConfigOp.Kind kind,
            String value,
            Map<String, String> configs)
            throws Refusal {
        ConfigKey<?> key = ConfigRules.find(resource.type(), name).orElse(null);
        if (key == null || key.type() != ConfigType.LIST) {
            throw Refusal.of(
                    ErrorCode.INVALID_CONFIG,
                    "%s of the %s is no list, so %s cannot change it: use SET.",
                    name,
                    resource,
                    kind);
        }
        String own = configs.get(name);
        List<String> elements =
                new ArrayList<>(elements(own == null ? inherited(resource, key) : own));
        List<String> operands = elements(value);
        if (kind == ConfigOp.Kind.SUBTRACT) {
            elements.removeAll(operands);
        } else {
            for (String operand : operands) {
                if (!elements.contains(operand)) elements.add(operand);
            }
        }
        return String.join(",", elements);
    }

    private static List<String> elements(String list) {
        if (list.isBlank()) return List.of();
        return Arrays.stream(list.split(",", -1)).map(String::strip).toList();
    }

    /// What holds for the key when the resource itself does not set it.
    private String inherited(ConfigResource resource, ConfigKey<?> key) {
        ConfigResolver resolver = context.settings().resolver(context.image());
        return switch (resource.type()) {
            case TOPIC -> text(resolver.topic(Map.of(), 1), key);
            case BROKER, BROKER_LOGGER -> text(resolver.broker(), key);
            case GROUP -> text(resolver.group(Map.of()), key);
            case CLIENT_METRICS -> text(resolver.clientMetrics(Map.of()), key);
        };
    }

    private static <T> String text(ConfigValues values, ConfigKey<T> key) {
        return values.optional(key).map(key.type()::format).orElse("");
    }

    /// Records that lead from what the resource sets now to what is wanted.
    private List<MetadataRecord> difference(ConfigResource resource, Map<String, String> wanted)
            throws Refusal {
        Map<String, String> present = context.image().config(resource);
        if (wanted.equals(present)) return List.of();
        new ConfigRules(context).check(resource, wanted);
        Set<String> keys = new TreeSet<>(present.keySet());
        keys.addAll(wanted.keySet());
        List<MetadataRecord> records = new ArrayList<>();
        for (String key : keys) {
            String value = wanted.get(key);
            if (Objects.equals(value, present.get(key))) continue;
            if (key.equals(TopicKeys.MIN_INSYNC_REPLICAS.name())) {
                clearElr(resource, records);
            }
            records.add(new MetadataRecord.Config(resource, key, Optional.ofNullable(value)));
        }
        return records;
    }

    /// Who is eligible was decided by the `min.insync.replicas` that held until now.
    private void clearElr(ConfigResource resource, List<MetadataRecord> records) throws Refusal {
        ClusterImage image = context.image();
        if (image.featureLevel(Features.ELR_VERSION) == 0) return;
        if (resource.type() == ConfigResource.Type.BROKER && !resource.name().isEmpty()) {
            throw Refusal.of(
                    ErrorCode.INVALID_CONFIG,
                    "min.insync.replicas cannot differ between brokers while eligible leader"
                            + " replicas are kept: set it for all brokers or on the topic.");
        }
        records.add(new MetadataRecord.ClearElr(resource.name()));
    }

    private static Set<ConfigResource> repeated(List<ConfigResource> resources) {
        Set<ConfigResource> seen = new HashSet<>();
        Set<ConfigResource> repeated = new HashSet<>();
        for (ConfigResource resource : resources) {
            if (!seen.add(resource)) repeated.add(resource);
        }
        return repeated;
    }
}
