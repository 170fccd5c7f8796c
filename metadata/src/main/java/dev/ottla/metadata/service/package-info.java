/// The shell around the controller: [dev.ottla.metadata.service.MetadataService] takes commands
/// from any thread, runs them on the metadata thread, appends their records in batches, and
/// publishes an image for what is committed. Creates no thread and reads no clock; the wiring gives
/// the executor.
@NullMarked
package dev.ottla.metadata.service;

import org.jspecify.annotations.NullMarked;
