/// Where this broker listens and what address a client is told, in one place for every API that
/// names brokers. The main type is {@link dev.ottla.broker.address.AdvertisedAddresses}. Everything
/// is thread-safe. Imports no sockets but their address type.
@NullMarked
package dev.ottla.broker.address;

import org.jspecify.annotations.NullMarked;
