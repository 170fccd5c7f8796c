package dev.ottla.bench.load;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// When requests are meant to leave: at even distances, in turn over the connections. What is due
/// is handed over whatever the broker does. Owned by the loop's thread, but for the alarm.
final class Pace {
    private final double intervalNs;
    private final List<Turn> turns;
    private final long requestCount;
    private boolean started;
    private long beganNs;
    private long dispatched;

    /// `requestCount` requests, `perSecond` of them each second.
    Pace(double perSecond, long requestCount, List<Turn> turns) {
        this.intervalNs = 1e9 / perSecond;
        this.requestCount = requestCount;
        this.turns = List.copyOf(turns);
    }

    /// Begins with the first call; a loop that is run again goes on where it was.
    void start(long nowNs) {
        if (!started) beganNs = nowNs;
        started = true;
    }

    /// When request `number` is meant to leave, from 0.
    long intendedNs(long number) {
        return beganNs + (long) (number * intervalNs);
    }

    void dispatch(long nowNs) throws IOException {
        while (dispatched < requestCount && intendedNs(dispatched) <= nowNs) {
            Turn turn = turns.get((int) (dispatched % turns.size()));
            turn.conversation().due(intendedNs(dispatched++));
            turn.connection().send(nowNs);
        }
    }

    /// Wakes the loop at each intended time until interrupted: a selector alone sleeps in whole
    /// milliseconds. Reads final fields and the start, which was set before its thread began.
    void ring(Selector selector) {
        while (!Thread.interrupted()) {
            long nowNs = System.nanoTime();
            long number = (long) Math.ceil((nowNs - beganNs) / intervalNs);
            if (number >= requestCount) return;
            LockSupport.parkNanos(Math.max(1, intendedNs(number) - nowNs));
            selector.wakeup();
        }
    }

    /// A connection that takes part.
    record Turn(LoadConnection connection, ProduceConversation conversation) {}
}
