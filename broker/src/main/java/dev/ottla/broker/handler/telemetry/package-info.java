/// Handlers of client telemetry (KIP-714): translate between generated messages and
/// [dev.ottla.broker.telemetry].
///
/// Main types: one class for each API. Run on network loops and do not wait: the shard that owns
/// the telemetry answers.
@NullMarked
package dev.ottla.broker.handler.telemetry;

import org.jspecify.annotations.NullMarked;
