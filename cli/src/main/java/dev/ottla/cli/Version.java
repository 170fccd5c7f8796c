package dev.ottla.cli;

/// The version from the jar's manifest.
final class Version {
    private Version() {}

    static String current() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development build" : version;
    }

    /// As `--version` prints it.
    static String line() {
        return "Ottla " + current() + " (Kafka 4.4 protocol)";
    }
}
