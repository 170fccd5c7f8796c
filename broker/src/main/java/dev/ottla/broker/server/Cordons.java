package dev.ottla.broker.server;

import dev.ottla.config.LogKeys;
import dev.ottla.log.DataDirectory;
import dev.ottla.wire.Uuid;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the cluster which data directories of this broker get no new partitions
/// (`cordoned.log.dirs`), now and whenever that changes.
final class Cordons {
    private static final Logger LOG = LoggerFactory.getLogger(Cordons.class);

    private static final String ALL = "*";

    private Cordons() {}

    static void follow(BrokerServices services) {
        services.config()
                .onChange(config ->
                        tell(
                                services,
                                cordoned(
                                        config.broker().value(LogKeys.CORDONED_LOG_DIRS),
                                        services.directories())));
    }

    private static List<Uuid> cordoned(List<String> paths, Map<Uuid, DataDirectory> directories) {
        return directories.entrySet().stream()
                .filter(directory ->
                        paths.contains(ALL)
                                || paths.stream()
                                        .map(path -> Path.of(path).toAbsolutePath().normalize())
                                        .anyMatch(directory.getValue().path()::equals))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static void tell(BrokerServices services, List<Uuid> cordoned) {
        var _ =
                services.membership()
                        .heartbeats()
                        .cordon(cordoned)
                        .whenComplete((error, failure) -> {
                            if (failure != null || !error.isNone()) {
                                LOG.warn(
                                        "The cluster does not take the list of cordoned data directories: {}.",
                                        failure == null ? error.message() : failure.getMessage());
                            }
                        });
    }
}
