package dev.ottla.replication;

import static dev.ottla.wire.Check.check;

import java.util.concurrent.TimeUnit;

/// Keeps copying under so many bytes a second (KIP-73). What was taken has to be paid for with time
/// before more may be taken; how much comes is known afterwards only, so one answer may run into
/// debt. Owned by one thread.
public final class ReplicationThrottle {
    /// No limit.
    public static final long UNLIMITED = Long.MAX_VALUE;

    /// Where nothing may be copied at all, this is asked again after so long.
    private static final long STANDSTILL_MS = 1_000;

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private long bytesPerSecond = UNLIMITED;
    private double debtBytes;
    private long atNs;

    /// From now on this is the limit. What is owed stays, but is paid at the new rate.
    public void limit(long bytesPerSecond, long nowNs) {
        check(bytesPerSecond >= 0, "a limit of %s bytes a second", bytesPerSecond);
        pay(nowNs);
        this.bytesPerSecond = bytesPerSecond;
        if (bytesPerSecond == UNLIMITED) debtBytes = 0;
    }

    /// So many bytes came.
    public void taken(long bytes, long nowNs) {
        pay(nowNs);
        if (bytesPerSecond != UNLIMITED) debtBytes += bytes;
    }

    /// How long nothing more may be taken; 0 when it may.
    public long waitMs(long nowNs) {
        pay(nowNs);
        if (bytesPerSecond == 0) return STANDSTILL_MS;
        return debtBytes <= 0 ? 0 : (long) Math.ceil(debtBytes * 1_000 / bytesPerSecond);
    }

    private void pay(long nowNs) {
        double seconds = Math.max(0, nowNs - atNs) / NANOS_PER_SECOND;
        if (bytesPerSecond != UNLIMITED)
            debtBytes = Math.max(0, debtBytes - seconds * bytesPerSecond);
        atNs = nowNs;
    }
}
