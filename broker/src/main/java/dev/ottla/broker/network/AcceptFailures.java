package dev.ottla.broker.network;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells why a listener could not accept a connection; Netty lets it pause for a second then. The
/// last handler of a listener's channel, owned by its loop.
final class AcceptFailures extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(AcceptFailures.class);

    private final String listener;

    AcceptFailures(String listener) {
        this.listener = listener;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.warn(
                "Listener {} could not accept a connection: {}. It waits and is tried again; when too many files are open, raise the limit (ulimit -n, or LimitNOFILE of the service).",
                listener,
                cause.getMessage());
    }
}
