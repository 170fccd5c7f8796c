/// What this machine can do at all, measured apart: the floors under every broker.
///
/// Main type: [Floors]. Runs on the main thread and one helper thread that reads a socket.
@NullMarked
package dev.ottla.bench.floor;

import org.jspecify.annotations.NullMarked;
