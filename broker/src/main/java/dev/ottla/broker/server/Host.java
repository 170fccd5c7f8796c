package dev.ottla.broker.server;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.FileDisk;
import java.time.InstantSource;

/// What a broker gets from the machine it runs on and what may fail or lie there. The seam at which
/// the fault harness puts a disk that loses power and a clock that is wrong in their place. Ratis
/// keeps its files on the real disk whatever the host is. Immutable.
public record Host(Disk disk, InstantSource clock) {
    /// The machine as it is.
    public static Host real() {
        return new Host(new FileDisk(), InstantSource.system());
    }
}
