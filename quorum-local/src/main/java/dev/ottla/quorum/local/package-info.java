/// The metadata log of a single node.
@NullMarked
package dev.ottla.quorum.local;

import org.jspecify.annotations.NullMarked;
