package dev.ottla.bench.load;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/// Latencies of a run, all together and second by second. What was meant to leave before
/// [#measureFrom] is not counted. Owned by the loop's thread.
public final class LatencyLog {
    private static final long MAX_NS = 600_000_000_000L;
    private static final int DIGITS = 3;
    private static final double NS_PER_MS = 1e6;

    private final Histogram all = new Histogram(MAX_NS, DIGITS);
    private final List<Long> maxNsBySecond = new ArrayList<>();
    private long fromNs = Long.MIN_VALUE;
    private long firstNs = Long.MIN_VALUE;

    /// Leaves out a warm-up.
    public void measureFrom(long intendedNs) {
        fromNs = intendedNs;
    }

    void record(long intendedNs, long nowNs) {
        if (intendedNs < fromNs) return;
        if (firstNs == Long.MIN_VALUE) firstNs = intendedNs;
        long latencyNs = Math.clamp(nowNs - intendedNs, 0, MAX_NS);
        all.recordValue(latencyNs);
        int second = (int) Math.max(0, (intendedNs - firstNs) / 1_000_000_000L);
        while (maxNsBySecond.size() <= second) maxNsBySecond.add(0L);
        if (latencyNs > maxNsBySecond.get(second)) maxNsBySecond.set(second, latencyNs);
    }

    public long count() {
        return all.getTotalCount();
    }

    public double percentileMs(double percentile) {
        return all.getValueAtPercentile(percentile) / NS_PER_MS;
    }

    public double maxMs() {
        return all.getMaxValue() / NS_PER_MS;
    }

    /// The worst latency of each second of the run.
    public List<Double> maxMsBySecond() {
        return maxNsBySecond.stream().map(ns -> ns / NS_PER_MS).toList();
    }
}
