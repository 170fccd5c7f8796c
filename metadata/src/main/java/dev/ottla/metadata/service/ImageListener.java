package dev.ottla.metadata.service;

import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;

/// Hears of each new image, in order, on the metadata thread; so it must be quick and hand longer
/// work on. The first call brings everything there is.
@FunctionalInterface
public interface ImageListener {
    /// A new image took the place of the one before.
    ///
    /// @param delta what changed since the image before
    /// @param image the new one
    void onImage(ImageDelta delta, ClusterImage image);
}
