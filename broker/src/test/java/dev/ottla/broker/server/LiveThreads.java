package dev.ottla.broker.server;

/// The threads of this process, by what they do.
final class LiveThreads {
    private LiveThreads() {}

    /// How many are named `kind-0`, `kind-1` and so on.
    static long count(String kind) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches(kind + "-\\d+"))
                .count();
    }
}
