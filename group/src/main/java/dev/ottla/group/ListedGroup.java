package dev.ottla.group;

/// One group in the answer to ListGroups.
///
/// @param protocolType `consumer` for consumers of either protocol, empty for a group that only
///   commits
/// @param state the state's name on the wire
public record ListedGroup(String groupId, String protocolType, String state, GroupType type) {
    /// Which protocol a group follows.
    public enum GroupType {
        CLASSIC("Classic"),
        CONSUMER("Consumer");

        private final String label;

        GroupType(String label) {
            this.label = label;
        }

        /// The type's name on the wire.
        public String label() {
            return label;
        }
    }
}
