package dev.ottla.broker.server;

import dev.ottla.broker.address.AdvertisedAddresses;
import dev.ottla.broker.address.ListenerConfig;
import dev.ottla.broker.address.ListenerConfigs;
import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.network.NetworkServer;
import dev.ottla.broker.shard.Shard;
import dev.ottla.broker.shard.Shards;
import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigException;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.ConfigValues;
import dev.ottla.config.NetworkKeys;
import dev.ottla.config.ServerKeys;
import dev.ottla.config.Surroundings;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A running broker. Made by `start`, ended by `close`, both on the starter's thread.
public final class BrokerServer implements AutoCloseable {
    private static final long STOP_MS = 10_000;

    private final ConfigResolver config;
    private final BrokerMetrics metrics = new BrokerMetrics();
    private final Shards shards;
    private final NetworkServer network;
    private final List<BoundListener> listeners = new ArrayList<>();

    private BrokerServer(ConfigResolver config) {
        this.config = config;
        ConfigValues values = config.broker();
        shards = startShards(values.value(ServerKeys.NUM_SHARDS));
        network =
                new NetworkServer(
                        NetworkConfig.settings(values, PlatformDependent.maxDirectMemory()),
                        NetworkConfig.limits(values),
                        new NetworkServer.Surroundings(
                                Threads.named("network"),
                                PooledByteBufAllocator.DEFAULT,
                                System::nanoTime,
                                shards::overloaded,
                                metrics));
    }

    /// Starts a broker and returns when clients can use it. Throws [StartRefusedException] when the
    /// configuration, the directories or the addresses don't allow it; nothing is left running
    /// then.
    public static BrokerServer start(BrokerSettings settings) {
        int processors = Runtime.getRuntime().availableProcessors();
        ConfigResolver config =
                new ConfigResolver(
                        BrokerLayers.of(settings.properties()), Surroundings.of(1, processors));
        List<ListenerConfig> listeners;
        try {
            listeners = ListenerConfigs.read(config.broker());
        } catch (ConfigException e) {
            throw new StartRefusedException(String.valueOf(e.getMessage()), e);
        }
        BrokerServer server = new BrokerServer(config);
        try {
            server.serve(listeners);
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /// Where clients connect, in the order of the configuration.
    public List<BoundListener> listeners() {
        return List.copyOf(listeners);
    }

    /// Stops cleanly: no new requests, what is under way is finished, everything is on disk and
    /// marked as such.
    @Override
    public void close() {
        network.stopListening();
        network.close();
        shards.all().forEach(Shard::stop);
        try {
            for (Shard shard : shards.all()) {
                shard.awaitStop(STOP_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Shards startShards(int count) {
        List<Shard> shards = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            shards.add(new Shard(i, System::nanoTime, Threads.named("shard")));
        }
        shards.forEach(Shard::start);
        return new Shards(shards);
    }

    private Map<String, Integer> bind(List<ListenerConfig> configs) {
        Map<String, Integer> ports = new HashMap<>();
        for (ListenerConfig listener : configs) {
            try {
                InetSocketAddress bound =
                        network.bind(
                                listener.name(), listener.bind().host(), listener.bind().port());
                listeners.add(new BoundListener(listener.name(), bound));
                ports.put(listener.name(), bound.getPort());
            } catch (IOException e) {
                String reason = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
                throw new StartRefusedException(
                        "listener %s cannot listen on %s (%s). Stop what uses the port, or choose another one with --port or listeners."
                                .formatted(listener.name(), listener.bind(), reason),
                        e);
            }
        }
        return ports;
    }

    private void serve(List<ListenerConfig> configs) {
        Map<String, Integer> ports = bind(configs);
        AdvertisedAddresses addresses =
                new AdvertisedAddresses(
                        configs, ports, config.broker().optional(NetworkKeys.ADVERTISED_ADDRESS));
        network.accept(Handlers.table(services(addresses)));
    }

    private BrokerServices services(AdvertisedAddresses addresses) {
        return new BrokerServices(
                1,
                "unknown",
                config,
                shards,
                addresses,
                InstantSource.system(),
                System::nanoTime,
                metrics);
    }
}
