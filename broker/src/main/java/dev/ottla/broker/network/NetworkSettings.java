package dev.ottla.broker.network;

import static dev.ottla.wire.Check.check;

/// Limits and sizes of the network, fixed for the life of the process. Immutable.
///
/// @param loops number of network loops
/// @param maxFrameBytes `socket.request.max.bytes`: larger frames close the connection
/// @param requestMemoryBytes for all requests together, from the frame's size field to the answer
/// @param connectionMemoryBytes the same for one connection; a single larger frame is still taken
/// @param maxInFlightRequests unanswered requests of one connection above which it is not read from
/// @param pendingResponseBytes unsent answers of one connection above which it is not read from
/// @param frameTimeoutMs how long a frame may take to arrive
/// @param connectionsMaxIdleMs `connections.max.idle.ms`
/// @param sendBufferBytes `socket.send.buffer.bytes`, -1 for the system's
/// @param receiveBufferBytes `socket.receive.buffer.bytes`, -1 for the system's
/// @param listenBacklog `socket.listen.backlog.size`
public record NetworkSettings(
        int loops,
        int maxFrameBytes,
        long requestMemoryBytes,
        long connectionMemoryBytes,
        int maxInFlightRequests,
        long pendingResponseBytes,
        long frameTimeoutMs,
        long connectionsMaxIdleMs,
        int sendBufferBytes,
        int receiveBufferBytes,
        int listenBacklog) {

    public NetworkSettings {
        check(loops > 0, "%s network loops", loops);
        check(maxFrameBytes > 0, "frames of at most %s bytes", maxFrameBytes);
        check(requestMemoryBytes > 0 && connectionMemoryBytes > 0, "no memory for requests");
        check(maxInFlightRequests > 0, "%s requests in flight", maxInFlightRequests);
        check(pendingResponseBytes > 0, "%s bytes of unsent answers", pendingResponseBytes);
        check(frameTimeoutMs > 0, "frame time-out of %s ms", frameTimeoutMs);
    }
}
