/// Handlers that show or change the cluster: topics, partitions, brokers, features, directories.
///
/// Read-only answers come from one cluster image, so an answer never mixes two states; changes are
/// commands to the metadata service. Main types: [MetadataHandler], [CreateTopicsHandler]. Handlers
/// run on network loops and do not wait; the package imports no sockets and no files.
@NullMarked
package dev.ottla.broker.handler.cluster;

import org.jspecify.annotations.NullMarked;
