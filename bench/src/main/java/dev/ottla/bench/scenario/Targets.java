package dev.ottla.bench.scenario;

import static dev.ottla.bench.report.TargetRow.sideBySide;

import dev.ottla.bench.report.Target;
import dev.ottla.bench.report.Target.AtLeast;
import dev.ottla.bench.report.Target.AtMost;
import dev.ottla.bench.report.TargetRow;
import java.util.List;

/// What the ratios shall be. The rows stand in the table in this order.
public final class Targets {
    private Targets() {}

    public static List<TargetRow> rows() {
        return List.of(
                fullRate(
                        "produce 1 KiB in 16 KiB batches: broker CPU s per GB",
                        "full-1k",
                        FullRate.PRODUCE_CPU_GB,
                        new AtMost(0.45)),
                fullRate(
                        "produce 100 B in 16 KiB batches: broker CPU s per million records",
                        "full-100b",
                        FullRate.PRODUCE_CPU_MILLION,
                        new AtMost(0.40)),
                fullRate(
                        "produce 100 B, one record a request: broker CPU s per million records",
                        "full-100b-single",
                        FullRate.PRODUCE_CPU_MILLION,
                        new AtMost(0.40)),
                fullRate(
                        "consume 1 KiB: broker CPU s per GB",
                        "full-1k",
                        FullRate.CONSUME_CPU_GB,
                        new AtMost(0.50)),
                fullRate(
                        "produce 1 KiB: throughput",
                        "full-1k",
                        FullRate.PRODUCE_RATE,
                        new AtLeast(1.5)),
                fullRate(
                        "consume 1 KiB: throughput",
                        "full-1k",
                        FullRate.CONSUME_RATE,
                        new AtLeast(1.5)),
                sideBySide("produce at 10 MB/s: p99", "tail-acks1", FixedRate.P99, new AtMost(0.5)),
                sideBySide(
                        "produce at 10 MB/s: p99.9", "tail-acks1", FixedRate.P999, new AtMost(0.5)),
                partitions("10,000 partitions: creation", ManyPartitions.CREATION, 0.2),
                partitions("10,000 partitions: restart clean", ManyPartitions.RESTART_CLEAN, 0.1),
                partitions(
                        "10,000 partitions: restart after kill -9",
                        ManyPartitions.RESTART_KILLED,
                        0.1),
                partitions(
                        "10,000 idle partitions: resident memory above empty",
                        ManyPartitions.IDLE_MEMORY,
                        0.2),
                partitions(
                        "10,000 idle partitions: file handles", ManyPartitions.IDLE_HANDLES, 0.05),
                sideBySide(
                        "exec to first acknowledged record",
                        "start",
                        ColdStart.FIRST_RECORD,
                        new AtMost(0.2)),
                sideBySide("resident memory idle", "start", ColdStart.MEMORY, new AtMost(0.3)),
                fullRate(
                        "resident memory under full load",
                        "full-1k",
                        FullRate.MEMORY,
                        new AtMost(0.5)));
    }

    private static TargetRow partitions(String label, String figure, double atMost) {
        return sideBySide(label, "partitions-10k", figure, new AtMost(atMost));
    }

    private static TargetRow fullRate(String label, String scenario, String figure, Target target) {
        return sideBySide(label, scenario, figure, target);
    }
}
