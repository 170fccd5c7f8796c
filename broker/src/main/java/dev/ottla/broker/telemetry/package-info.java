/// Metrics that clients push to the broker (KIP-714): which of them are wanted from whom, and what
/// came.
///
/// Main type: [ClientTelemetry], a state machine that one shard owns; it gets the time as a value.
/// Imports no network and no generated message.
@NullMarked
package dev.ottla.broker.telemetry;

import org.jspecify.annotations.NullMarked;
