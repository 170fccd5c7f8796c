package dev.ottla.broker.network;

import dev.ottla.log.LogSlice;
import io.netty.channel.DefaultFileRegion;

/// A pinned range of a segment that the transport sends with `sendfile`. The file belongs to the
/// log: the end of the region only unpins it.
final class SliceRegion extends DefaultFileRegion {
    private final LogSlice slice;

    SliceRegion(LogSlice slice) {
        super(slice.channel().orElseThrow(), slice.position(), slice.sizeBytes());
        this.slice = slice;
    }

    @Override
    protected void deallocate() {
        slice.release();
    }
}
