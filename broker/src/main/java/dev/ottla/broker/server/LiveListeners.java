package dev.ottla.broker.server;

import dev.ottla.broker.address.AdvertisedAddresses;
import dev.ottla.broker.network.NetworkServer;
import dev.ottla.config.ConfigProblem;
import dev.ottla.config.ConfigValues;
import dev.ottla.config.Listener;
import dev.ottla.config.Listeners;
import dev.ottla.config.NetworkKeys;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The listeners of a broker, which come and go as `listeners` is changed. Changed by the wiring's
/// thread and later by the metadata thread, read by any.
final class LiveListeners {
    private static final Logger LOG = LoggerFactory.getLogger(LiveListeners.class);

    private final NetworkServer network;
    private final AdvertisedAddresses addresses;
    private final List<BoundListener> bound = new CopyOnWriteArrayList<>();
    private List<Listener> configs = List.of();

    LiveListeners(NetworkServer network, ConfigValues values) {
        this.network = network;
        this.addresses = new AdvertisedAddresses(values.optional(NetworkKeys.ADVERTISED_ADDRESS));
    }

    /// Where clients are told to connect.
    AdvertisedAddresses addresses() {
        return addresses;
    }

    /// In the order of the configuration.
    List<BoundListener> bound() {
        return List.copyOf(bound);
    }

    List<String> names() {
        return bound.stream().map(BoundListener::name).toList();
    }

    /// Takes the addresses that the broker starts with; all of them or none.
    void start(List<Listener> wanted) {
        for (Listener listener : wanted) {
            try {
                bind(listener);
            } catch (IOException e) {
                throw new StartRefusedException(
                        "listener %s cannot listen on %s: %s"
                                .formatted(listener.name(), listener.bind(), e.getMessage()),
                        e);
            }
        }
        configs = wanted;
        tellAddresses();
    }

    /// Opens what was added and closes what was taken away. What cannot be opened is told in the
    /// log and left out: the others serve on.
    void follow(ConfigValues values) {
        Listeners read = Listeners.of(values);
        if (!read.problems().isEmpty()) {
            LOG.error(
                    "The listeners stay as they are: {}",
                    read.problems().stream()
                            .map(ConfigProblem::message)
                            .collect(Collectors.joining(" ")));
            return;
        }
        List<Listener> wanted = read.clientsFirst();
        if (wanted.equals(configs)) return;
        for (Listener former : configs) {
            if (wanted.stream().noneMatch(each -> isSame(each, former))) close(former);
        }
        for (Listener each : wanted) {
            if (configs.stream().noneMatch(former -> isSame(each, former))) open(each);
        }
        configs = wanted;
        tellAddresses();
    }

    private static boolean isSame(Listener one, Listener other) {
        return one.name().equals(other.name()) && one.bind().equals(other.bind());
    }

    private void open(Listener listener) {
        try {
            bind(listener);
            LOG.info("Listener {} is open on {}.", listener.name(), listener.bind());
        } catch (IOException e) {
            LOG.error(
                    "Listener {} is left out, for it cannot listen on {}: {}",
                    listener.name(),
                    listener.bind(),
                    e.getMessage());
        }
    }

    private void close(Listener listener) {
        network.unbind(listener.name());
        bound.removeIf(each -> each.name().equals(listener.name()));
        LOG.info("Listener {} is closed.", listener.name());
    }

    private void bind(Listener listener) throws IOException {
        InetSocketAddress address =
                network.bind(listener.name(), listener.bind().host(), listener.bind().port());
        bound.add(new BoundListener(listener.name(), address));
    }

    private void tellAddresses() {
        Map<String, Integer> ports = new LinkedHashMap<>();
        bound.forEach(listener -> ports.put(listener.name(), listener.address().getPort()));
        addresses.update(new ArrayList<>(configs), ports);
    }
}
