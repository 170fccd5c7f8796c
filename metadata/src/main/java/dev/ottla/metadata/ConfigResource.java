package dev.ottla.metadata;

import java.util.Optional;

/// What a configuration is set on. For brokers the empty name stands for all brokers.
public record ConfigResource(Type type, String name) {
    /// The resource of the settings for all brokers.
    public static final ConfigResource CLUSTER = new ConfigResource(Type.BROKER, "");

    /// Kinds with their numbers in Kafka's protocol and records.
    public enum Type {
        TOPIC(2, "topic"),
        BROKER(4, "broker"),
        BROKER_LOGGER(8, "broker logger"),
        CLIENT_METRICS(16, "client metrics subscription"),
        GROUP(32, "group");

        private final byte id;
        private final String words;

        Type(int id, String words) {
            this.id = (byte) id;
            this.words = words;
        }

        public byte id() {
            return id;
        }

        public static Optional<Type> of(byte id) {
            for (Type type : values()) {
                if (type.id == id) return Optional.of(type);
            }
            return Optional.empty();
        }

        /// The kind in a sentence.
        public String words() {
            return words;
        }
    }

    public static ConfigResource topic(String name) {
        return new ConfigResource(Type.TOPIC, name);
    }

    public static ConfigResource broker(int id) {
        return new ConfigResource(Type.BROKER, Integer.toString(id));
    }

    public static ConfigResource group(String id) {
        return new ConfigResource(Type.GROUP, id);
    }

    public static ConfigResource clientMetrics(String name) {
        return new ConfigResource(Type.CLIENT_METRICS, name);
    }

    @Override
    public String toString() {
        return type.words() + " '" + name + "'";
    }
}
