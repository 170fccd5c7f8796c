/// Network, request handlers, shards, the wiring.
@NullMarked
package dev.ottla.broker;

import org.jspecify.annotations.NullMarked;
