package dev.ottla.config;

/// Where a value comes from, with the codes that DescribeConfigs sends.
public enum ConfigSource {
    TOPIC(1),
    DYNAMIC_BROKER(2),
    DYNAMIC_DEFAULT_BROKER(3),
    STATIC_BROKER(4),
    DEFAULT(5),
    BROKER_LOGGER(6),
    CLIENT_METRICS(7),
    GROUP(8);

    private final byte code;

    ConfigSource(int code) {
        this.code = (byte) code;
    }

    public byte code() {
        return code;
    }
}
