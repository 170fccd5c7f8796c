/// The cluster at one metadata offset: [dev.ottla.metadata.image.ClusterImage] is immutable and
/// shared by all threads; [dev.ottla.metadata.image.ImageDelta] replays records on top of one and
/// makes the next, at the cost of what changed. Whoever replays owns the delta (the metadata
/// thread). Does no IO and knows neither controller nor engine.
@NullMarked
package dev.ottla.metadata.image;

import org.jspecify.annotations.NullMarked;
