package dev.ottla.broker.network;

import io.netty.buffer.ByteBuf;
import io.netty.channel.FileRegion;
import io.netty.channel.MessageSizeEstimator;

/// Counts file regions with their size, so that a client that does not read fills its quota of
/// unsent answers with them too: they hold no memory, but they pin files.
final class SizeEstimator implements MessageSizeEstimator, MessageSizeEstimator.Handle {
    static final SizeEstimator INSTANCE = new SizeEstimator();

    private SizeEstimator() {}

    @Override
    public Handle newHandle() {
        return this;
    }

    @Override
    public int size(Object message) {
        return switch (message) {
            case ByteBuf buffer -> buffer.readableBytes();
            case FileRegion region -> (int) Math.min(Integer.MAX_VALUE, region.count());
            default -> 8;
        };
    }
}
