package dev.ottla.broker.shard;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The turns of a shard on its host's thread. The first message into an empty mailbox asks the host
/// for a turn, so there is one turn asked for whenever messages wait; timers ask for one when they
/// are due.
final class HostThread implements TurnRunner, ShardHost.Guest {
    private final Shard shard;
    private final ShardHost host;
    private final Runnable onTimer = this::onTimer;
    private final CountDownLatch ended = new CountDownLatch(1);

    /// Written by `start`, read by posters after they pushed; `start` asks for a turn after it
    /// wrote, so a message is seen by that turn or its poster sees that turns run.
    private volatile boolean started;

    // Host's thread only.

    private boolean over;
    private boolean timedTurnAsked;
    private long timedTurnNs;

    HostThread(Shard shard, ShardHost host) {
        this.shard = shard;
        this.host = host;
        host.adopt(this);
    }

    @Override
    public void start() {
        started = true;
        host.askForTurn();
    }

    @Override
    public void wake() {
        if (started) {
            host.askForTurn();
        }
    }

    @Override
    public boolean isOwner() {
        return host.isCurrent() && shard.isInTurn();
    }

    @Override
    public int backlog() {
        return shard.backlog();
    }

    @Override
    public boolean awaitStop(long millis) throws InterruptedException {
        return ended.await(millis, TimeUnit.MILLISECONDS);
    }

    private void onTimer() {
        timedTurnAsked = false;
        turn();
    }

    @Override
    public void turn() {
        if (over || !started) {
            return;
        }
        host.turnBegins();
        boolean goesOn = shard.turn();
        if (hostGoesOn() && goesOn) {
            askForTimedTurn();
        } else {
            over = true;
            ended.countDown();
        }
    }

    private boolean hostGoesOn() {
        try {
            host.turnEnds();
            return true;
        } catch (Throwable e) {
            shard.broken(e);
            return false;
        }
    }

    /// A turn that comes before its timer is due, because that one was cancelled, asks again.
    private void askForTimedTurn() {
        long nowNs = shard.clockNs();
        long delayNs = shard.nanosToNextTimer(nowNs);
        if (delayNs == Long.MAX_VALUE) {
            return;
        }
        if (!timedTurnAsked || nowNs + delayNs - timedTurnNs < 0) {
            timedTurnAsked = true;
            timedTurnNs = nowNs + delayNs;
            host.executeLater(onTimer, delayNs);
        }
    }
}
