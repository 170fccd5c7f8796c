/// Reads a history and says what in it cannot have happened in a cluster that keeps its promises.
///
/// Main type: [Checker], which is given line by line and answers with [Anomaly]s. Owned by one
/// thread; no files, no clock. Memory grows with the records (some 40 bytes each), not with the
/// lines.
@NullMarked
package dev.ottla.chaos.check;

import org.jspecify.annotations.NullMarked;
