package dev.ottla.bench.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/// One non-blocking connection: writes what its conversation has, cuts answers out of what it
/// reads. Owned by the loop's thread.
final class LoadConnection implements AutoCloseable {
    private static final int INITIAL_BYTES = 4 * 1024;
    private static final int MAX_ANSWER_BYTES = 256 * 1024 * 1024;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final Conversation conversation;
    private ByteBuffer outgoing = ByteBuffer.allocate(0);
    private ByteBuffer incoming = ByteBuffer.allocateDirect(INITIAL_BYTES);

    LoadConnection(InetSocketAddress address, Selector selector, Conversation conversation)
            throws IOException {
        this.conversation = conversation;
        channel = SocketChannel.open(address);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    /// Sends until the conversation waits or the socket is full.
    void send(long nowNs) throws IOException {
        while (true) {
            if (!outgoing.hasRemaining()) outgoing = conversation.next(nowNs);
            if (!outgoing.hasRemaining()) {
                interest(SelectionKey.OP_READ);
                return;
            }
            channel.write(outgoing);
            if (outgoing.hasRemaining()) {
                interest(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                return;
            }
        }
    }

    /// Reads what is there, then sends what that allows.
    void onReady(long nowNs) throws IOException {
        if (key.isReadable()) {
            int read = channel.read(incoming);
            if (read < 0) throw new IOException("the broker closed a connection of the load");
            takeAnswers(nowNs);
        }
        send(nowNs);
    }

    private void takeAnswers(long nowNs) throws IOException {
        int start = 0;
        int end = incoming.position();
        while (end - start >= Integer.BYTES) {
            int sizeBytes = incoming.getInt(start);
            if (sizeBytes < 0 || sizeBytes > MAX_ANSWER_BYTES) {
                throw new IOException("an answer of " + sizeBytes + " bytes");
            }
            int after = start + Integer.BYTES + sizeBytes;
            if (after > end) break;
            conversation.onAnswer(incoming.slice(start + Integer.BYTES, sizeBytes), nowNs);
            start = after;
        }
        keep(start, end);
    }

    /// Moves an incomplete answer to the front and makes room for all of it.
    private void keep(int start, int end) {
        incoming.limit(end).position(start).compact();
        if (incoming.position() < Integer.BYTES) return;
        int neededBytes = Integer.BYTES + incoming.getInt(0);
        if (neededBytes > incoming.capacity()) {
            ByteBuffer larger = ByteBuffer.allocateDirect(neededBytes + neededBytes / 4);
            incoming = larger.put(incoming.flip());
        }
    }

    private void interest(int operations) {
        if (key.interestOps() != operations) key.interestOps(operations);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
