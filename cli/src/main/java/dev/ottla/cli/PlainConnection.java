package dev.ottla.cli;

import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.BufferWriter;
import dev.ottla.wire.WireException;
import dev.ottla.wire.WireReader;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ApiVersionsRequest;
import dev.ottla.wire.message.RequestHeader;
import dev.ottla.wire.message.ResponseHeader;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;

/// One connection to a broker that asks and waits, request by request. For training and checks, not
/// for load. Owned by one thread.
final class PlainConnection implements AutoCloseable {
    private static final int TIMEOUT_MS = 30_000;
    private static final int GREETING_MS = 5_000;
    private static final int MAX_ANSWER_BYTES = 256 << 20;

    private final Socket socket = new Socket();
    private final DataInputStream input;
    private int correlationId;

    PlainConnection(InetSocketAddress address) throws IOException {
        socket.connect(address, GREETING_MS);
        socket.setSoTimeout(TIMEOUT_MS);
        socket.setTcpNoDelay(true);
        input = new DataInputStream(socket.getInputStream());
    }

    /// Finds out whether a broker is at the other end.
    void greet() throws IOException {
        socket.setSoTimeout(GREETING_MS);
        try {
            var _ =
                    ask(
                            ApiVersionsRequest.builder()
                                    .clientSoftwareName("ottla")
                                    .clientSoftwareVersion("0")
                                    .build());
        } catch (SocketTimeoutException e) {
            throw new IOException(
                    "it took the connection and says nothing: it stands still, is just starting, or is no Kafka listener",
                    e);
        } catch (IOException | WireException e) {
            throw new IOException(
                    "what listens there does not speak Kafka's protocol, or its broker is just starting",
                    e);
        }
        socket.setSoTimeout(TIMEOUT_MS);
    }

    /// Sends `request` in the newest stable version of its API and returns the answer.
    ApiMessage ask(ApiMessage request) throws IOException {
        ApiKey api = ApiKey.forId(request.apiKey()).orElseThrow();
        short version = api.latestVersion(false);
        RequestHeader header =
                RequestHeader.builder()
                        .requestApiKey(api.id())
                        .requestApiVersion(version)
                        .correlationId(++correlationId)
                        .clientId("ottla")
                        .build();
        short headerVersion = api.requestHeaderVersion(version);
        int sizeBytes = header.size(headerVersion) + request.size(version);
        ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES + sizeBytes);
        frame.putInt(sizeBytes);
        BufferWriter writer = new BufferWriter(frame);
        header.write(writer, headerVersion);
        request.write(writer, version);
        socket.getOutputStream().write(frame.array());

        int answerBytes = input.readInt();
        if (answerBytes < 0 || answerBytes > MAX_ANSWER_BYTES) {
            throw new IOException("an answer of %d bytes was announced".formatted(answerBytes));
        }
        byte[] answer = new byte[answerBytes];
        input.readFully(answer);
        WireReader reader = new WireReader(ByteBuffer.wrap(answer));
        ResponseHeader answered = ResponseHeader.read(reader, api.responseHeaderVersion(version));
        if (answered.correlationId() != correlationId) {
            throw new IOException(
                    "answer %d came to request %d"
                            .formatted(answered.correlationId(), correlationId));
        }
        return api.readResponse(reader, version);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
