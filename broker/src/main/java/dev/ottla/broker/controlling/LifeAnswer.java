package dev.ottla.broker.controlling;

import dev.ottla.wire.ErrorCode;

/// What the controller answers to a heartbeat.
///
/// @param error NONE, or why this incarnation is not heard any more
/// @param caughtUp whether the broker knew all that was committed, by the word of a controller that
///   was not replaced meanwhile
/// @param fenced whether it may not lead and is told to nobody
/// @param mayStop whether it leads nothing any more, when it wants to stop
public record LifeAnswer(ErrorCode error, boolean caughtUp, boolean fenced, boolean mayStop) {
    static LifeAnswer refused(ErrorCode error) {
        return new LifeAnswer(error, false, true, false);
    }
}
