/// The language of the cluster's metadata: [MetadataRecord] says what can happen to a cluster, and
/// [MetadataLog] is the port to the engine that puts records into one order and makes them durable.
/// The features stand in the packages below: `image` (the cluster at one offset), `controller`
/// (commands to records), `codec` (records to bytes) and `service` (the shell that ties them to a
/// thread). Values are immutable; the port is called by the metadata thread. Imports `wire` alone.
@NullMarked
package dev.ottla.metadata;

import org.jspecify.annotations.NullMarked;
