/// The cluster image, the controller and the metadata log port.
@NullMarked
package dev.ottla.metadata;

import org.jspecify.annotations.NullMarked;
