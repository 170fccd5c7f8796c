package dev.ottla.config;

import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A host and a port.
///
/// @param host name or address, IPv6 without brackets; may be empty
public record HostPort(String host, int port) {
    private static final Pattern FORM =
            Pattern.compile("(?:\\[([0-9A-Fa-f:.%\\w]*)]|([0-9a-zA-Z\\-%._]*)):([0-9]{1,5})");

    public HostPort {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port %d is not from 0 to 65535".formatted(port));
        }
    }

    /// Reads `host:port`, `:port` or `[IPv6 address]:port`.
    public static Optional<HostPort> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(3)) > 65_535) {
            return Optional.empty();
        }
        String bracketed = matcher.group(1);
        String host = bracketed == null ? matcher.group(2) : bracketed;
        if (host.contains(":") && literal(host).isEmpty()) return Optional.empty();
        return Optional.of(new HostPort(host, Integer.parseInt(matcher.group(3))));
    }

    /// Reads a host with or without a port; an IPv6 address without one needs no brackets.
    ///
    /// @param defaultPort where there is none
    public static Optional<HostPort> parse(String text, int defaultPort) {
        boolean bareIpv6 = !text.startsWith("[") && text.indexOf(':') != text.lastIndexOf(':');
        String host = bareIpv6 ? "[" + text + "]" : text;
        return parse(host).or(() -> parse(host + ":" + defaultPort));
    }

    /// Whether it stands for all addresses of a machine: listeners may be bound there, but nobody
    /// can connect to it.
    boolean isWildcard() {
        return literal(host).map(InetAddress::isAnyLocalAddress).orElse(false);
    }

    /// No name is looked up. A zone says through which interface, which may be one of another
    /// machine.
    private static Optional<InetAddress> literal(String host) {
        int zone = host.indexOf('%');
        try {
            return Optional.of(InetAddress.ofLiteral(zone < 0 ? host : host.substring(0, zone)));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    boolean ipv6() {
        return host.contains(":");
    }

    @Override
    public String toString() {
        return (ipv6() ? "[" + host + "]" : host) + ":" + port;
    }
}
