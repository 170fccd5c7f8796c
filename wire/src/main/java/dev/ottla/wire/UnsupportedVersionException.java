package dev.ottla.wire;

/// A message was read or written in a version that does not exist, or that cannot carry one of its
/// values.
public final class UnsupportedVersionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnsupportedVersionException(String message) {
        super(message);
    }

    /// For generated code: the version is outside what the definition allows.
    public static UnsupportedVersionException outOfRange(
            String message, short version, int lowest, int highest) {
        return new UnsupportedVersionException(
                message + " has versions " + lowest + " to " + highest + ", not " + version);
    }

    /// For generated code: a field that may not be dropped silently has a value, but no place in
    /// this version.
    public static UnsupportedVersionException cannotCarry(
            String message, String field, short version) {
        return new UnsupportedVersionException(
                message + " version " + version + " cannot carry a value of " + field);
    }
}
