/// What the broker counts about itself, and the HTTP port that shows it.
///
/// Main type: [BrokerMetrics], thread-safe; every hot-path call is a few atomic adds without
/// allocation. [MetricsServer] answers `/metrics` in Prometheus text and the two probes on a port
/// of its own. Imports nothing of the broker: others push values in or register a supplier.
@NullMarked
package dev.ottla.broker.metrics;

import org.jspecify.annotations.NullMarked;
