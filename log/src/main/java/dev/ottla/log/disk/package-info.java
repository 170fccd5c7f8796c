/// The port between the log and the file system: [dev.ottla.log.disk.Disk] with the real
/// [dev.ottla.log.disk.FileDisk]; a fake that loses power lives in the test jar. Files are shared
/// between threads through [dev.ottla.log.disk.SharedFile]. May not import anything of the log
/// itself: it knows bytes and names only.
@NullMarked
package dev.ottla.log.disk;

import org.jspecify.annotations.NullMarked;
