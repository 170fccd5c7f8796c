package dev.ottla.broker.network;

import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.BufferWriter;
import dev.ottla.wire.WireReader;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.RequestHeader;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/// A client that sends whatever bytes a test wants. Every read waits ten seconds at most.
public final class RawClient implements AutoCloseable {
    private final Socket socket = new Socket();
    private final DataInputStream in;

    public RawClient(InetSocketAddress address) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        socket.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort()), 10_000);
        in = new DataInputStream(socket.getInputStream());
    }

    /// A whole request frame with its size field.
    public static byte[] frame(ApiMessage request, int version, int correlationId) {
        ApiKey api = ApiKey.forId(request.apiKey()).orElseThrow();
        short headerVersion = api.requestHeaderVersion((short) version);
        RequestHeader header =
                RequestHeader.builder()
                        .requestApiKey(api.id())
                        .requestApiVersion((short) version)
                        .correlationId(correlationId)
                        .clientId("raw")
                        .build();
        int size = header.size(headerVersion) + request.size((short) version);
        ByteBuffer frame = ByteBuffer.allocate(4 + size).putInt(size);
        BufferWriter writer = new BufferWriter(frame);
        header.write(writer, headerVersion);
        request.write(writer, (short) version);
        return frame.array();
    }

    public void send(byte[] bytes) throws IOException {
        send(bytes, 0, bytes.length);
    }

    public void send(byte[] bytes, int from, int length) throws IOException {
        socket.getOutputStream().write(bytes, from, length);
        socket.getOutputStream().flush();
    }

    public void send(ApiMessage request, int version, int correlationId) throws IOException {
        send(frame(request, version, correlationId));
    }

    /// The next frame, from its correlation id on.
    public ByteBuffer receiveFrame() throws IOException {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        return ByteBuffer.wrap(frame);
    }

    /// The next answer; fails when its correlation id is another one.
    public ApiMessage receive(ApiKey api, int version, int correlationId) throws IOException {
        ByteBuffer frame = receiveFrame();
        int received = frame.getInt();
        if (received != correlationId) {
            throw new AssertionError("answer " + received + " came instead of " + correlationId);
        }
        WireReader reader = new WireReader(frame);
        if (api.responseHeaderVersion((short) version) > 0) {
            frame.get();
            reader = new WireReader(frame);
        }
        return api.readResponse(reader, (short) version);
    }

    /// Whether the broker ended the connection; waits for it.
    public boolean isClosedByBroker() throws IOException {
        try {
            return in.read() < 0;
        } catch (java.net.SocketException e) {
            return true;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        }
    }

    public Socket socket() {
        return socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
