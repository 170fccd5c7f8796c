/// What is done to a cluster, and when.
///
/// Main types: [Schedule], which a seed decides whole, and [Injector], which plays it. Owned by the
/// run's main thread. What a fault hits depends on the moment too: who leads then, who is the
/// controller.
@NullMarked
package dev.ottla.chaos.fault;

import org.jspecify.annotations.NullMarked;
