package dev.ottla.broker.request;

import static dev.ottla.wire.Check.check;

import dev.ottla.wire.message.ApiKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Which handler answers which API, and the versions that are advertised. Immutable.
public final class HandlerTable {
    /// The advertised versions of one API, both inclusive.
    public record Advertised(ApiKey api, short oldest, short latest) {}

    private final List<Optional<ApiHandler<?>>> byId;
    private final List<Advertised> advertised;
    private final boolean unstableVersions;

    /// @param handlers at most one per API
    /// @param unstableVersions whether versions that the definitions mark unstable are served
    ///   (`unstable.api.versions.enable`)
    public HandlerTable(List<ApiHandler<?>> handlers, boolean unstableVersions) {
        this.unstableVersions = unstableVersions;
        TreeMap<Short, ApiHandler<?>> sorted = new TreeMap<>();
        List<Advertised> versions = new ArrayList<>();
        for (ApiHandler<?> handler : handlers) {
            ApiKey api = handler.api();
            check(sorted.put(api.id(), handler) == null, "%s has two handlers", api);
            if (!handler.internal() && latestServed(api) >= api.oldestVersion()) {
                versions.add(new Advertised(api, handler.oldestAdvertised(), latestServed(api)));
            }
        }
        List<Optional<ApiHandler<?>>> slots = new ArrayList<>();
        for (short id = 0; !sorted.isEmpty() && id <= sorted.lastKey(); id++) {
            slots.add(Optional.ofNullable(sorted.get(id)));
        }
        byId = List.copyOf(slots);
        versions.sort(Comparator.comparingInt(version -> version.api().id()));
        advertised = List.copyOf(versions);
    }

    public Optional<ApiHandler<?>> handler(int apiId) {
        return apiId >= 0 && apiId < byId.size() ? byId.get(apiId) : Optional.empty();
    }

    /// Whether a request of this API and version can be read and answered.
    public boolean serves(ApiKey api, short version) {
        return handler(api.id()).isPresent()
                && version >= api.oldestVersion()
                && version <= latestServed(api);
    }

    /// All APIs that have a handler, ascending.
    public List<ApiKey> apis() {
        return byId.stream().flatMap(Optional::stream).<ApiKey>map(ApiHandler::api).toList();
    }

    /// What ApiVersions tells, ascending by API.
    public List<Advertised> advertised() {
        return advertised;
    }

    private short latestServed(ApiKey api) {
        return api.latestVersion(unstableVersions);
    }
}
