package dev.ottla.chaos.load;

/// How members of groups behave.
///
/// @param sessionMs so long after it was heard last a member of the classic protocol counts no more
/// @param protocol of the group that is to have the newer one
public record GroupManners(int sessionMs, String protocol) {
    /// In a cluster whose settings are the run's own.
    public static final GroupManners OWN = new GroupManners(3_000, "consumer");

    /// In any other: brokers refuse shorter sessions by default.
    public static GroupManners given(boolean knowsConsumerProtocol) {
        return new GroupManners(6_000, knowsConsumerProtocol ? "consumer" : "classic");
    }
}
