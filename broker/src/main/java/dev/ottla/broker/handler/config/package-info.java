/// Handlers of the configuration APIs, for every kind of resource.
///
/// Main types: [DescribeConfigsHandler], [IncrementalAlterConfigsHandler]. What a key is and may be
/// is told by the config module; changes go to the controller, but for log levels, which belong to
/// this process. Run on network loops and do not wait.
@NullMarked
package dev.ottla.broker.handler.config;

import org.jspecify.annotations.NullMarked;
