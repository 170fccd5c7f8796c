package org.apache.kafka.common.utils;

/// Stands where connect-file 4.3.1, the newest that is published, looks for a class that
/// kafka-clients 4.4 has elsewhere. Ours, and the only thing that the connectors ask of it.
public final class AppInfoParser {
    private AppInfoParser() {}

    public static String getVersion() {
        return "4.3.1";
    }
}
