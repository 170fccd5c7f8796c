/// Short plays, each of which a certain mistake of a broker does not survive.
///
/// Main types: [Scenario], what happens one after the other, and [Stage], on which it does. Owned
/// by the run's main thread.
@NullMarked
package dev.ottla.chaos.scenario;

import org.jspecify.annotations.NullMarked;
