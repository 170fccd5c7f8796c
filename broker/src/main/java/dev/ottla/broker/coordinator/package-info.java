/// The shell around the coordinators' state machines: loads them from their internal topic, appends
/// what they write, holds replies back until the records are committed, and keeps their timers.
///
/// Main type: [GroupCoordinators]. Each coordinator belongs to the shard of its partition. Imports
/// no network and no generated messages.
@NullMarked
package dev.ottla.broker.coordinator;

import org.jspecify.annotations.NullMarked;
