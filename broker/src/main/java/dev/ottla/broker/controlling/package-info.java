/// What a broker and the active controller have to say to each other. {@link
/// dev.ottla.broker.controlling.ControllerLink} is the broker's way to the controller, in this
/// process or in another one; {@link dev.ottla.broker.controlling.Heartbeats} keeps the broker's
/// session; {@link dev.ottla.broker.controlling.Liveness} is the controller's view of who is alive.
/// Owned by the metadata thread where nothing else is said. Imports no sockets: it asks through
/// {@code peer}.
@NullMarked
package dev.ottla.broker.controlling;

import org.jspecify.annotations.NullMarked;
