/// Record batches: views, builders, checksums, codecs.
@NullMarked
package dev.ottla.record;

import org.jspecify.annotations.NullMarked;
