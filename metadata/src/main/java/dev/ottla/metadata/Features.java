package dev.ottla.metadata;

import java.util.Map;
import java.util.TreeMap;

/// The features that this version of Ottla knows, with the levels that it can work with. Share and
/// streams groups are not among them: clients must not take them for present.
public final class Features {
    public static final String METADATA_VERSION = "metadata.version";
    public static final String GROUP_VERSION = "group.version";
    public static final String TRANSACTION_VERSION = "transaction.version";
    public static final String ELR_VERSION = "eligible.leader.replicas.version";

    /// Of Ottla's own, and no feature of clusters: a broker that registers with it becomes a voter
    /// by itself when one is wanted.
    public static final String CANDIDATE = "ottla.quorum.candidate";

    /// Level of `metadata.version` named 4.4-IV2.
    public static final short METADATA_4_4_IV2 = 33;

    private static final Map<String, VersionRange> SUPPORTED =
            Map.of(
                    METADATA_VERSION, VersionRange.of(METADATA_4_4_IV2, METADATA_4_4_IV2),
                    GROUP_VERSION, VersionRange.of(0, 1),
                    TRANSACTION_VERSION, VersionRange.of(0, 2),
                    ELR_VERSION, VersionRange.of(0, 1));

    private Features() {}

    /// Levels that this process can work with, by name.
    public static Map<String, VersionRange> supported() {
        return SUPPORTED;
    }

    /// The same for a broker that becomes a voter by itself when one is wanted.
    public static Map<String, VersionRange> ofCandidate() {
        Map<String, VersionRange> all = new TreeMap<>(SUPPORTED);
        all.put(CANDIDATE, VersionRange.of(0, 1));
        return all;
    }

    /// What a new cluster starts with: the highest levels, as Kafka 4.4 does.
    public static Map<String, Short> ofNewCluster() {
        Map<String, Short> levels = new TreeMap<>();
        SUPPORTED.forEach((name, range) -> levels.put(name, range.highest()));
        return levels;
    }
}
