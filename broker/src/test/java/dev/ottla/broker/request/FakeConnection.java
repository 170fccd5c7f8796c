package dev.ottla.broker.request;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/// A client on the loopback address whose loop is the caller's thread.
public final class FakeConnection implements ClientConnection {
    private final Map<Class<?>, Object> attachments = new HashMap<>();
    private String softwareName = "";
    private String softwareVersion = "";

    @Override
    public String listenerName() {
        return "PLAINTEXT";
    }

    @Override
    public InetSocketAddress localAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 9092);
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
