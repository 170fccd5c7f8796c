package dev.ottla.log;

import java.io.IOException;

/// Told once whether a log's new start is on disk.
public interface StartOutcome {
    void onDurable();

    /// It could not be written, for want of room or because the directory failed. The log starts
    /// there all the same, until the process ends at least; asking again tries again.
    default void onFailed(IOException cause) {}
}
