package dev.ottla.record;

import java.util.Optional;

/// Who set the timestamps of a batch: bit 3 of the batch attributes, topic setting
/// `message.timestamp.type`.
public enum TimestampType {
    /// Each record carries the time its producer gave it.
    CREATE_TIME("CreateTime"),
    /// Every record has the broker's append time: the batch's max timestamp.
    LOG_APPEND_TIME("LogAppendTime");

    static final int MASK = 0x08;

    private final String configName;

    TimestampType(String configName) {
        this.configName = configName;
    }

    public String configName() {
        return configName;
    }

    public static Optional<TimestampType> forConfigName(String name) {
        for (TimestampType type : values()) {
            if (type.configName.equals(name)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }
}
