package dev.ottla.cli;

import picocli.CommandLine.IVersionProvider;

/// The version from the jar's manifest.
final class Version implements IVersionProvider {
    static String current() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development build" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"Ottla " + current() + " (Kafka 4.4 protocol)"};
    }
}
