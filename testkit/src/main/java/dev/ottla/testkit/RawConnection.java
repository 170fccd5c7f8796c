package dev.ottla.testkit;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.RequestHeader;

/// One connection below the level of a client: whole requests, or any bytes at all. Blocking; owned
/// by one thread. Requests may be sent ahead of their answers, which come back in order.
public final class RawConnection implements Closeable {
    private static final Duration TIMEOUT = Duration.ofSeconds(45);

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final Deque<RequestHeader> pending = new ArrayDeque<>();
    private int nextCorrelationId;

    private RawConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream()));
        this.out = new DataOutputStream(socket.getOutputStream());
    }

    public static RawConnection open(InetSocketAddress address) throws IOException {
        return open(address, TIMEOUT);
    }

    /// Waits no longer than that for anybody.
    ///
    /// @param timeout of the connection, and of each answer
    public static RawConnection open(InetSocketAddress address, Duration timeout)
            throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) timeout.toMillis());
            socket.connect(address, (int) timeout.toMillis());
            return new RawConnection(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /// One that takes in little ahead of what is read.
    public static RawConnection open(InetSocketAddress address, int receiveBufferBytes)
            throws IOException {
        Socket socket = new Socket();
        try {
            socket.setReceiveBufferSize(receiveBufferBytes);
            socket.setSoTimeout(1);
            socket.connect(address, (int) TIMEOUT.toMillis());
            return new RawConnection(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    public static RawConnection open(String bootstrap) throws IOException {
        int colon = bootstrap.lastIndexOf(':');
        int port = Integer.parseInt(bootstrap.substring(colon + 1));
        return open(new InetSocketAddress(bootstrap.substring(0, colon), port));
    }

    public void send(AbstractRequest request) throws IOException {
        RequestHeader header =
                new RequestHeader(
                        request.apiKey(), request.version(), "acceptance", nextCorrelationId++);
        ByteBuffer bytes = request.serializeWithHeader(header);
        ByteBuffer frame = ByteBuffer.allocate(4 + bytes.remaining());
        frame.putInt(bytes.remaining()).put(bytes);
        out.write(frame.array());
        out.flush();
        pending.addLast(header);
    }

    public <T extends AbstractResponse> T receive(Class<T> type) throws IOException {
        RequestHeader header = pending.removeFirst();
        return type.cast(AbstractResponse.parseResponse(ByteBuffer.wrap(readFrame()), header));
    }

    public <T extends AbstractResponse> T request(AbstractRequest request, Class<T> type)
            throws IOException {
        send(request);
        return receive(type);
    }

    public ApiVersionsResponse apiVersions() throws IOException {
        return request(
                new ApiVersionsRequest.Builder().build(ApiKeys.API_VERSIONS.latestVersion()),
                ApiVersionsResponse.class);
    }

    /// Bytes as they are, without a frame.
    public void write(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /// One frame without its length.
    public byte[] readFrame() throws IOException {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        return frame;
    }

    /// Takes at most so many bytes of what has come, whatever they are; returns how many.
    public int read(int most) {
        try {
            return Math.max(0, in.read(new byte[most]));
        } catch (IOException e) {
            return 0; // Nothing came in time, or nobody is there any more.
        }
    }

    /// Whether the other side closes (or resets) the connection within the time, whatever it sends
    /// before.
    public boolean isClosedWithin(Duration time) {
        try {
            socket.setSoTimeout((int) time.toMillis());
            while (true) {
                in.readByte();
            }
        } catch (EOFException | java.net.SocketException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
