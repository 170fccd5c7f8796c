package dev.ottla.acceptance;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.protocol.ApiKeys;

/// Hands on what clients and a node say to each other. Its clients can be kept in the past: then
/// they get the same answers to Metadata requests as before. Thread-safe: each connection has two
/// threads of its own.
final class Relay implements AutoCloseable {
    private static final int CORRELATION_AT = 4;
    private static final int CORRELATION_BYTES = 4;

    private final ServerSocket server;
    private final InetSocketAddress node;
    private final Past past;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    /// What the nodes of a cluster have answered. Thread-safe.
    static final class Past {
        /// Request without its correlation id → answer without it.
        private final Map<ByteBuffer, byte[]> answers = new ConcurrentHashMap<>();

        // Written by the test, read for each answer; one that sees it late is one of before.
        private volatile boolean stays;

        /// From now on nothing new is learned by whoever asks again.
        void stay() {
            stays = true;
        }

        private byte[] answer(ByteBuffer request, byte[] present) {
            if (!stays) {
                answers.put(request, present);
                return present;
            }
            return answers.getOrDefault(request, present);
        }
    }

    /// @param node where its clients want to go
    Relay(InetSocketAddress node, Past past) {
        this.node = node;
        this.past = past;
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    String bootstrap() {
        return "127.0.0.1:" + port();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                connect(server.accept());
            } catch (IOException e) {
                // The relay ends, or the client gets no connection.
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket toNode = new Socket();
        sockets.add(client);
        sockets.add(toNode);
        try {
            toNode.connect(node);
            client.setTcpNoDelay(true);
            toNode.setTcpNoDelay(true);
        } catch (IOException e) {
            close(client, toNode);
            throw e;
        }
        Map<Integer, ByteBuffer> asked = new ConcurrentHashMap<>();
        Thread.ofVirtual().start(() -> pass(client, toNode, frame -> note(frame, asked)));
        Thread.ofVirtual().start(() -> pass(toNode, client, frame -> replace(frame, asked)));
    }

    private interface Change {
        byte[] of(byte[] frame);
    }

    private void pass(Socket from, Socket to, Change change) {
        try {
            DataInputStream in =
                    new DataInputStream(new BufferedInputStream(from.getInputStream()));
            DataOutputStream out =
                    new DataOutputStream(new BufferedOutputStream(to.getOutputStream()));
            while (true) {
                byte[] frame = change.of(in.readNBytes(in.readInt()));
                out.writeInt(frame.length);
                out.write(frame);
                out.flush();
            }
        } catch (IOException e) {
            close(from, to); // One of the two has ended it.
        }
    }

    private static byte[] note(byte[] request, Map<Integer, ByteBuffer> asked) {
        ByteBuffer header = ByteBuffer.wrap(request);
        if (header.getShort(0) == ApiKeys.METADATA.id) {
            int correlationId = header.getInt(CORRELATION_AT);
            asked.put(correlationId, ByteBuffer.wrap(request.clone()).putInt(CORRELATION_AT, 0));
        }
        return request;
    }

    private byte[] replace(byte[] answer, Map<Integer, ByteBuffer> asked) {
        ByteBuffer header = ByteBuffer.wrap(answer);
        ByteBuffer request = asked.remove(header.getInt(0));
        if (request == null) {
            return answer;
        }
        byte[] told = past.answer(request, answer).clone();
        header.get(0, told, 0, CORRELATION_BYTES);
        return told;
    }

    private void close(Socket... ended) {
        for (Socket socket : ended) {
            sockets.remove(socket);
            try {
                socket.close();
            } catch (IOException e) {
                // Nothing more is to be had of it.
            }
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            // Nobody waits for it.
        }
        close(sockets.toArray(Socket[]::new));
    }
}
