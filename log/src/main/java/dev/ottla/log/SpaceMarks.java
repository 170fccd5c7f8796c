package dev.ottla.log;

/// How much room a data directory's disk must have. Immutable.
///
/// @param fullBelow producers are refused when less is free
/// @param resumeAbove and taken again when more is free; at least `fullBelow`
/// @param reserve size of the reserve file, for what the cluster writes itself; 0 for none
public record SpaceMarks(Mark fullBelow, Mark resumeAbove, Mark reserve) {
    /// So many bytes, but on a small file system at most one part in `atMostOneIn` of it.
    public record Mark(long bytes, int atMostOneIn) {
        /// Whatever the size of the file system.
        public static Mark of(long bytes) {
            return new Mark(bytes, 1);
        }

        long onDiskOf(long totalBytes) {
            return atMostOneIn == 1 ? bytes : Math.min(bytes, totalBytes / atMostOneIn);
        }
    }

    /// As they are, whatever the size of the file system.
    public static SpaceMarks of(long fullBelowBytes, long resumeAboveBytes, long reserveBytes) {
        return new SpaceMarks(
                Mark.of(fullBelowBytes), Mark.of(resumeAboveBytes), Mark.of(reserveBytes));
    }
}
