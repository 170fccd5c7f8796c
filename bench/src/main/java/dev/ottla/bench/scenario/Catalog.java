package dev.ottla.bench.scenario;

import static dev.ottla.bench.load.ProducerPlan.ACKS_ALL;
import static dev.ottla.bench.load.ProducerPlan.ACKS_LEADER;
import static dev.ottla.bench.load.ProducerPlan.ACKS_NONE;

import dev.ottla.bench.load.BatchShape;
import dev.ottla.bench.side.Side.Durability;
import dev.ottla.record.Compression;
import java.util.ArrayList;
import java.util.List;

/// Every scenario there is, family by family.
public final class Catalog {
    private static final int MIB = 1024 * 1024;
    private static final long SMALL_REQUEST_BYTES = 60_000_000;

    /// A sync a batch is slow: less than a GB says enough.
    private static final long SYNCED_BYTES = 150_000_000;

    /// Requests in flight on each of four connections.
    private static final int SYNC_WINDOW = 16;

    private Catalog() {}

    public static List<Scenario> all() {
        List<Scenario> scenarios = new ArrayList<>();
        scenarios.add(new ColdStart());
        scenarios.addAll(throughput());
        scenarios.addAll(tails());
        scenarios.addAll(fsync());
        scenarios.addAll(growth());
        scenarios.add(new GroupCommits(Durability.PAGE_CACHE));
        scenarios.add(new GroupCommits(Durability.FSYNC));
        scenarios.add(new LargeGroup(LargeGroup.Protocol.CLASSIC));
        scenarios.add(new LargeGroup(LargeGroup.Protocol.CONSUMER));
        scenarios.add(new ManyGroups());
        scenarios.add(new ColdReader(Durability.PAGE_CACHE));
        scenarios.add(new ColdReader(Durability.FSYNC));
        scenarios.add(new ManyPartitions("partitions-10k", 10_000));
        scenarios.add(new ManyPartitions("partitions-50k", 50_000));
        scenarios.addAll(cluster());
        return List.copyOf(scenarios);
    }

    /// The scenario or the family of that name, or `all`; nothing when there is none.
    public static List<Scenario> named(String name) {
        return all().stream()
                .filter(scenario ->
                        name.equals("all")
                                || scenario.name().equals(name)
                                || scenario.family().title().equals(name))
                .toList();
    }

    /// A star around 1 KiB records in 16 KiB batches with acks=1: one property changes at a time.
    private static List<Scenario> throughput() {
        return List.of(
                FullRate.of("full-1k", Shapes.KIB_IN_16K),
                FullRate.of("full-100b", Shapes.SMALL_IN_16K).bytes(500_000_000),
                FullRate.of(
                        "full-10k", BatchShape.filling(Shapes.KIB_16, 10_240, Compression.NONE)),
                FullRate.of("full-100b-single", Shapes.SINGLE_100).bytes(SMALL_REQUEST_BYTES),
                FullRate.of("full-1k-single", new BatchShape(1024, 1, Compression.NONE))
                        .bytes(300_000_000),
                FullRate.of("full-1k-1m", BatchShape.filling(MIB - 1024, 1024, Compression.NONE)),
                FullRate.of(
                        "full-1k-lz4", BatchShape.filling(Shapes.KIB_16, 1024, Compression.LZ4)),
                FullRate.of(
                        "full-1k-zstd", BatchShape.filling(Shapes.KIB_16, 1024, Compression.ZSTD)),
                FullRate.of("full-1k-acks0", Shapes.KIB_IN_16K).acks(ACKS_NONE),
                FullRate.of("full-1k-acksall", Shapes.KIB_IN_16K).acks(ACKS_ALL),
                new KafkaTools("tools-1k", 1024),
                new KafkaTools("tools-100b", 100));
    }

    private static List<Scenario> tails() {
        return List.of(
                new FixedRate("tail-acks1", ACKS_LEADER, Durability.PAGE_CACHE),
                new FixedRate("tail-acksall", ACKS_ALL, Durability.PAGE_CACHE),
                new EndToEnd(Durability.PAGE_CACHE));
    }

    private static List<Scenario> fsync() {
        return List.of(
                FullRate.of("fsync-1k", Shapes.KIB_IN_16K).bytes(SYNCED_BYTES).fsync(SYNC_WINDOW),
                new SyncedAgainstCached(),
                new Growth(Growth.Dimension.PARTITIONS, Durability.FSYNC),
                new FixedRate("fsync-tail", ACKS_ALL, Durability.FSYNC),
                new EndToEnd(Durability.FSYNC));
    }

    private static List<Scenario> cluster() {
        return List.of(
                new ClusterLoad("cluster-page-cache", Durability.PAGE_CACHE, Durability.PAGE_CACHE),
                new ClusterLoad("cluster-fsync", Durability.FSYNC, Durability.FSYNC),
                new ClusterLoad(
                        "cluster-fsync-against-cache", Durability.FSYNC, Durability.PAGE_CACHE),
                new Failover(Failover.Blow.LEADER_KILLED),
                new Failover(Failover.Blow.CONTROLLER_KILLED),
                new Failover(Failover.Blow.LEADER_FROZEN),
                new ControllerFailover(),
                new QuorumUnderLoad());
    }

    private static List<Scenario> growth() {
        return List.of(
                new Growth(Growth.Dimension.PARTITIONS, Durability.PAGE_CACHE),
                new Growth(Growth.Dimension.CONNECTIONS, Durability.PAGE_CACHE),
                new FiftyByFifty());
    }
}
