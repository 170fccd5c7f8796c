package dev.ottla.broker.produce;

import java.util.ArrayDeque;

/// Keeps the produce requests of one connection in order when some are checked off the loop: each
/// goes to the shards only after those before it. Owned by the connection's loop. Bounded by the
/// requests that a connection may have unanswered.
final class ProduceOrder {
    /// A request on its way to the shards.
    static final class Turn {
        private final Runnable dispatch;
        private boolean ready;

        Turn(Runnable dispatch) {
            this.dispatch = dispatch;
        }
    }

    private final ArrayDeque<Turn> waiting = new ArrayDeque<>(1);

    /// Takes the next place. A request that is ready goes at once if none is before it.
    Turn enter(Runnable dispatch, boolean ready) {
        Turn turn = new Turn(dispatch);
        if (ready && waiting.isEmpty()) {
            dispatch.run();
        } else {
            turn.ready = ready;
            waiting.add(turn);
        }
        return turn;
    }

    /// All batches of the request are checked.
    void onReady(Turn turn) {
        turn.ready = true;
        Turn front = waiting.peek();
        while (front != null && front.ready) {
            waiting.remove();
            front.dispatch.run();
            front = waiting.peek();
        }
    }
}
