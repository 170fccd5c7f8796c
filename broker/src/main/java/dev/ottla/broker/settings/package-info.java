/// The configuration in force, as plain values for the data path. The main types are {@link
/// dev.ottla.broker.settings.BrokerConfig}, which follows dynamic changes, and {@link
/// dev.ottla.broker.settings.TopicSettings}. Read by every thread; changed by the metadata thread.
@NullMarked
package dev.ottla.broker.settings;

import org.jspecify.annotations.NullMarked;
