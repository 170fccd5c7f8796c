package dev.ottla.metadata.image;

/// How far an image has come.
///
/// @param offset of the last record that it contains, -1 when it contains none
/// @param epoch of the controller that wrote that record
public record ImageVersion(long offset, int epoch) implements Comparable<ImageVersion> {
    public static final ImageVersion NONE = new ImageVersion(-1, 0);

    /// Offset order: offsets never go back, whatever the epoch.
    @Override
    public int compareTo(ImageVersion other) {
        return Long.compare(offset, other.offset);
    }
}
