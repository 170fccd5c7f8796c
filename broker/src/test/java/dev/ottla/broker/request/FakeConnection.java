package dev.ottla.broker.request;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/// A client whose loop is the caller's thread.
public final class FakeConnection implements ClientConnection {
    private final Map<Class<?>, Object> attachments = new HashMap<>();
    private final List<Runnable> afterwards = new ArrayList<>();
    private final InetSocketAddress localAddress;
    private String softwareName = "";
    private String softwareVersion = "";

    /// Over the loopback address.
    public FakeConnection() {
        this(InetAddress.getLoopbackAddress());
    }

    /// @param reached the address of ours that it came to
    public FakeConnection(InetAddress reached) {
        localAddress = new InetSocketAddress(reached, 9092);
    }

    @Override
    public String listenerName() {
        return "PLAINTEXT";
    }

    @Override
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 45678);
    }

    @Override
    public Executor loop() {
        return Runnable::run;
    }

    @Override
    public int loopIndex() {
        return 0;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isSlow() {
        return false;
    }

    @Override
    public <T> T attachment(Class<T> type, Supplier<T> initial) {
        return type.cast(attachments.computeIfAbsent(type, _ -> initial.get()));
    }

    @Override
    public void whenClosed(Runnable task) {
        afterwards.add(task);
    }

    /// The client ends the connection.
    public void end() {
        afterwards.forEach(Runnable::run);
    }

    @Override
    public void clientSoftware(String name, String version) {
        softwareName = name;
        softwareVersion = version;
    }

    @Override
    public String clientSoftwareName() {
        return softwareName;
    }

    @Override
    public String clientSoftwareVersion() {
        return softwareVersion;
    }
}
