/// One data directory and the partitions in it.
@NullMarked
package dev.ottla.log;

import org.jspecify.annotations.NullMarked;
