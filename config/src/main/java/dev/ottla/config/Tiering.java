package dev.ottla.config;

/// What must hold between local and total retention of tiered data, for brokers and topics alike.
/// -1 means no limit, -2 that the local limit follows the total one.
final class Tiering {
    private Tiering() {}

    static void local(Findings findings, ConfigKey<Long> local, ConfigKey<Long> total) {
        long localLimit = findings.value(local);
        long totalLimit = findings.value(total);
        boolean unlimitedInLimited = localLimit == -1 && totalLimit > -1;
        findings.check(
                !unlimitedInLimited && (totalLimit <= -1 || localLimit <= totalLimit),
                local,
                "at most %s = %d, or -2 to follow it".formatted(total, totalLimit),
                "keep no more here than in all");
    }

    /// The copy must be made before the local segments go.
    static void copyLag(
            Findings findings, ConfigKey<Long> lag, ConfigKey<Long> local, ConfigKey<Long> total) {
        long limit = findings.value(local) == -2 ? findings.value(total) : findings.value(local);
        findings.check(
                limit < 0 || findings.value(lag) <= limit,
                lag,
                "at most what is kept here, %d".formatted(limit),
                "lower it or raise " + local);
    }
}
