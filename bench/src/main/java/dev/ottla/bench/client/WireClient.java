package dev.ottla.bench.client;

import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.BufferWriter;
import dev.ottla.wire.WireReader;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.RequestHeader;
import dev.ottla.wire.message.ResponseHeader;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;

/// One connection that asks and waits, request by request. Owned by one thread, which may be a
/// virtual one.
public final class WireClient implements AutoCloseable {
    private static final String CLIENT_ID = "ottla-bench";

    private final Socket socket = new Socket();
    private final DataInputStream input;
    private int correlationId;

    /// Connects; an answer may then take up to `timeout`.
    public WireClient(InetSocketAddress address, Duration timeout) throws IOException {
        socket.connect(address, (int) timeout.toMillis());
        socket.setSoTimeout((int) timeout.toMillis());
        socket.setTcpNoDelay(true);
        input = new DataInputStream(socket.getInputStream());
    }

    public WireClient(InetSocketAddress address) throws IOException {
        this(address, Duration.ofMinutes(5));
    }

    /// Sends `request` in the newest stable version of its API and returns the answer.
    public ApiMessage ask(ApiMessage request) throws IOException {
        ApiKey api = ApiKey.forId(request.apiKey()).orElseThrow();
        return ask(request, api.latestVersion(false));
    }

    /// Sends `request` in a version of its API and returns the answer.
    public ApiMessage ask(ApiMessage request, short version) throws IOException {
        ApiKey api = ApiKey.forId(request.apiKey()).orElseThrow();
        socket.getOutputStream().write(frame(request, version, ++correlationId).array());

        byte[] answer = new byte[input.readInt()];
        input.readFully(answer);
        WireReader reader = new WireReader(ByteBuffer.wrap(answer));
        ResponseHeader header = ResponseHeader.read(reader, api.responseHeaderVersion(version));
        if (header.correlationId() != correlationId) {
            throw new IOException(
                    "answer %d came to request %d"
                            .formatted(header.correlationId(), correlationId));
        }
        return api.readResponse(reader, version);
    }

    /// A whole request on the heap, its size first.
    ///
    ///     | size int32 | API int16 | version int16 | correlation id int32 | … |
    public static ByteBuffer frame(ApiMessage request, short version, int correlationId) {
        ApiKey api = ApiKey.forId(request.apiKey()).orElseThrow();
        RequestHeader header =
                RequestHeader.builder()
                        .requestApiKey(api.id())
                        .requestApiVersion(version)
                        .correlationId(correlationId)
                        .clientId(CLIENT_ID)
                        .build();
        short headerVersion = api.requestHeaderVersion(version);
        int sizeBytes = header.size(headerVersion) + request.size(version);
        ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES + sizeBytes);
        frame.putInt(sizeBytes);
        BufferWriter writer = new BufferWriter(frame);
        header.write(writer, headerVersion);
        request.write(writer, version);
        return frame.flip();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // The connection is given up either way.
        }
    }
}
