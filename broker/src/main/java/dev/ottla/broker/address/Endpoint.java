package dev.ottla.broker.address;

/// Host and port of a broker as a client is told them.
public record Endpoint(String host, int port) {
    /// Reads `host:port`, `[v6]:port` or, with `defaultPort`, either without a port.
    static Endpoint parse(String text, int defaultPort) {
        String rest = text.strip();
        if (rest.startsWith("[")) {
            int close = rest.indexOf(']');
            if (close < 0) {
                throw new IllegalArgumentException("'" + text + "' has no closing bracket");
            }
            String tail = rest.substring(close + 1);
            return new Endpoint(rest.substring(1, close), port(text, tail, defaultPort));
        }
        int colon = rest.lastIndexOf(':');
        if (colon >= 0 && rest.indexOf(':') == colon) {
            return new Endpoint(
                    rest.substring(0, colon), port(text, rest.substring(colon), defaultPort));
        }
        return new Endpoint(rest, port(text, "", defaultPort));
    }

    private static int port(String text, String colonAndPort, int defaultPort) {
        if (colonAndPort.isEmpty() && defaultPort >= 0) {
            return defaultPort;
        }
        try {
            int port = Integer.parseInt(colonAndPort.substring(1));
            if (colonAndPort.startsWith(":") && port >= 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("'" + text + "' has no port from 0 to 65535", e);
        }
        throw new IllegalArgumentException("'" + text + "' has no port from 0 to 65535");
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
