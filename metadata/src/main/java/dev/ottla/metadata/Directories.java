package dev.ottla.metadata;

import dev.ottla.wire.Uuid;
import java.util.List;

/// Directory ids with a meaning of their own, as KIP-858 reserves them.
public final class Directories {
    /// The directory is not known (replicas from before directories had ids).
    public static final Uuid MIGRATING = new Uuid(0, 0);

    /// The broker has not chosen a directory yet.
    public static final Uuid UNASSIGNED = new Uuid(0, 1);

    /// The replica is on a directory that is gone.
    public static final Uuid LOST = new Uuid(0, 2);

    private Directories() {}

    /// Whether a replica assigned to `directory` is held by a broker whose online directories are
    /// `online`.
    public static boolean isOnline(Uuid directory, List<Uuid> online) {
        if (directory.equals(LOST)) return false;
        return directory.equals(UNASSIGNED)
                || directory.equals(MIGRATING)
                || online.contains(directory);
    }
}
