/// Turns the official message definitions into Java, at build time only.
@NullMarked
package dev.ottla.wire.generator;

import org.jspecify.annotations.NullMarked;
