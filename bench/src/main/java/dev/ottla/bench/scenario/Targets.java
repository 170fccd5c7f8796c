package dev.ottla.bench.scenario;

import static dev.ottla.bench.report.TargetRow.absolute;
import static dev.ottla.bench.report.TargetRow.sideBySide;
import static dev.ottla.bench.report.TargetRow.withinOttla;

import dev.ottla.bench.report.Target.AtLeast;
import dev.ottla.bench.report.Target.AtMost;
import dev.ottla.bench.report.TargetRow;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What ratios and figures shall be. The rows stand in the table in this order.
public final class Targets {
    private Targets() {}

    public static List<TargetRow> rows() {
        return Stream.of(
                        work(),
                        rates(),
                        durability(),
                        coldReader(),
                        partitions(),
                        rest(),
                        cluster())
                .flatMap(List::stream)
                .toList();
    }

    private static List<TargetRow> work() {
        return List.of(
                atMost(
                        "produce 1 KiB in 16 KiB batches: broker CPU s per GB",
                        "full-1k",
                        FullRate.PRODUCE_CPU_GB,
                        0.45),
                atMost(
                        "produce 100 B in 16 KiB batches: broker CPU s per million records",
                        "full-100b",
                        FullRate.PRODUCE_CPU_MILLION,
                        0.40),
                atMost(
                        "produce 100 B, one record a request: broker CPU s per million records",
                        "full-100b-single",
                        FullRate.PRODUCE_CPU_MILLION,
                        0.40),
                atMost(
                        "consume 1 KiB: broker CPU s per GB",
                        "full-1k",
                        FullRate.CONSUME_CPU_GB,
                        0.50));
    }

    private static List<TargetRow> rates() {
        return List.of(
                atLeast("produce 1 KiB: throughput", "full-1k", FullRate.PRODUCE_RATE, 1.5),
                atLeast("consume 1 KiB: throughput", "full-1k", FullRate.CONSUME_RATE, 1.5),
                atMost("produce at 10 MB/s: p99", "tail-acks1", FixedRate.P99, 0.5),
                atMost("produce at 10 MB/s: p99.9", "tail-acks1", FixedRate.P999, 0.5));
    }

    private static List<TargetRow> durability() {
        return List.of(
                atLeast(
                        "acks=all, Ottla with fsync ÷ Kafka without: throughput",
                        "fsync-against-cache",
                        SyncedAgainstCached.RATE,
                        0.9),
                atLeast(
                        "acks=all, fsync on both: throughput",
                        "fsync-1k",
                        FullRate.PRODUCE_RATE,
                        3),
                atMost("acks=all, fsync on both: p99", "fsync-1k", FullRate.PRODUCE_P99, 0.4),
                withinOttla(
                        "acks=all, fsync, Ottla: throughput, 1,000 partitions ÷ 1",
                        "fsync-partitions",
                        Growth.rate(1000),
                        Growth.rate(1),
                        new AtLeast(0.5)));
    }

    private static List<TargetRow> coldReader() {
        return List.of(
                withinOttla(
                        "page cache, Ottla: tail p99 beside a cold reader ÷ quiet",
                        "cold-page-cache",
                        ColdReader.COLD_P99,
                        ColdReader.QUIET_P99,
                        new AtMost(1.5)),
                withinOttla(
                        "fsync, Ottla: tail p99 beside a cold reader ÷ quiet",
                        "cold-fsync",
                        ColdReader.COLD_P99,
                        ColdReader.QUIET_P99,
                        new AtMost(3)),
                atLeast(
                        "the cold reader: throughput",
                        "cold-page-cache",
                        ColdReader.READER_RATE,
                        0.8));
    }

    private static List<TargetRow> partitions() {
        String scenario = "partitions-10k";
        return List.of(
                atMost("10,000 partitions: creation", scenario, ManyPartitions.CREATION, 0.2),
                atMost(
                        "10,000 partitions: restart clean",
                        scenario,
                        ManyPartitions.RESTART_CLEAN,
                        0.1),
                atMost(
                        "10,000 partitions: restart after kill -9",
                        scenario,
                        ManyPartitions.RESTART_KILLED,
                        0.1),
                atMost(
                        "10,000 idle partitions: resident memory above empty",
                        scenario,
                        ManyPartitions.IDLE_MEMORY,
                        0.2),
                atMost(
                        "10,000 idle partitions: file handles",
                        scenario,
                        ManyPartitions.IDLE_HANDLES,
                        0.05));
    }

    private static List<TargetRow> rest() {
        return List.of(
                atMost("exec to first acknowledged record", "start", ColdStart.FIRST_RECORD, 0.2),
                atMost("resident memory idle", "start", ColdStart.MEMORY, 0.3),
                atMost("resident memory under full load", "full-1k", FullRate.MEMORY, 0.5),
                growth("Ottla: CPU per record, 1,000 partitions ÷ 1", "growth-partitions"),
                growth("Ottla: CPU per record, 1,000 connections ÷ 1", "growth-connections"));
    }

    private static List<TargetRow> cluster() {
        List<TargetRow> rows = new ArrayList<>();
        for (String scenario :
                List.of("cluster-page-cache", "cluster-fsync", "cluster-fsync-against-cache")) {
            String what = "three brokers, " + scenario.substring("cluster-".length());
            rows.add(atLeast(what + ": throughput", scenario, ClusterLoad.RATE, 1.3));
            rows.add(atMost(what + ": CPU s per GB", scenario, ClusterLoad.CPU_GB, 0.6));
            rows.add(atMost(what + ": p99", scenario, ClusterLoad.P99, 0.6));
        }
        rows.addAll(failover(Failover.Blow.LEADER_KILLED, "kill -9 of a leader", 0.15));
        rows.addAll(
                failover(Failover.Blow.CONTROLLER_KILLED, "kill -9 of leader and controller", 0.5));
        rows.addAll(failover(Failover.Blow.LEADER_FROZEN, "SIGSTOP of a leader", 0.6));
        rows.addAll(controllers());
        return rows;
    }

    private static List<TargetRow> controllers() {
        String failover = new ControllerFailover().name();
        return List.of(
                absolute(
                        "Ottla, 10,000 partitions: kill -9 of the controller, median ms",
                        failover,
                        ControllerFailover.MEDIAN,
                        new AtMost(2_000)),
                absolute(
                        "Ottla, 10,000 partitions: kill -9 of the controller, worst ms",
                        failover,
                        ControllerFailover.WORST,
                        new AtMost(4_000)),
                absolute(
                        "Ottla, ten minutes of full load: elections of controllers",
                        new QuorumUnderLoad().name(),
                        QuorumUnderLoad.ELECTIONS,
                        new AtMost(0)));
    }

    private static List<TargetRow> failover(Failover.Blow blow, String what, double bound) {
        String scenario = new Failover(blow).name();
        return List.of(
                atMost(what + ": no writes, median", scenario, Failover.MEDIAN, bound),
                atMost(what + ": no writes, worst", scenario, Failover.WORST, bound));
    }

    private static TargetRow atMost(String label, String scenario, String figure, double bound) {
        return sideBySide(label, scenario, figure, new AtMost(bound));
    }

    private static TargetRow atLeast(String label, String scenario, String figure, double bound) {
        return sideBySide(label, scenario, figure, new AtLeast(bound));
    }

    private static TargetRow growth(String label, String scenario) {
        return withinOttla(label, scenario, Growth.cpu(1000), Growth.cpu(1), new AtMost(1.3));
    }
}
