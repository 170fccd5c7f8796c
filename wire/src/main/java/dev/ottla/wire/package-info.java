/// Primitives, generated messages, API keys, error codes.
@NullMarked
package dev.ottla.wire;

import org.jspecify.annotations.NullMarked;
