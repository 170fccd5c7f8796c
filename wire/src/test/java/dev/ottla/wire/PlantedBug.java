package dev.ottla.wire;

import dev.ottla.wire.message.HeartbeatRequest;
import java.nio.ByteBuffer;

/// A bug that no kept input shows: a well-formed request of certain generations, one in 65,536.
final class PlantedBug {
    private PlantedBug() {}

    static void decode(byte[] input) {
        HeartbeatRequest request;
        try {
            request = HeartbeatRequest.read(new WireReader(ByteBuffer.wrap(input)), (short) 0);
        } catch (WireException e) {
            return;
        }
        // Two branches, so that feedback leads from the first to the second.
        int generation = request.generationId();
        if (generation >>> 24 != 'O') return;
        if (((generation >>> 16) & 0xff) == 't') throw new IllegalStateException("found");
    }
}
