package dev.ottla.broker.voting;

import dev.ottla.config.HostPort;
import dev.ottla.metadata.QuorumState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the operator when the voters have no leader: whom this voter hears, whom it does not, how
/// many are needed, and what helps. Says it when that lasts, when it changes, and once a minute;
/// says too when it is over.
///
/// Owned by the metadata thread.
public final class QuorumOutlook {
    private static final Logger LOG = LoggerFactory.getLogger(QuorumOutlook.class);

    /// An election that takes longer is more than that.
    private static final long LASTS_MS = 6_000;

    private static final long CHANGES_MS = 10_000;
    private static final long AGAIN_MS = 60_000;

    /// Voters without a leader stand for election every two seconds.
    private static final long HEARD_MS = 5_000;

    private static final long NEVER = -1;

    private final IntFunction<Optional<HostPort>> addresses;
    private long sinceMs = NEVER;
    private long toldMs = NEVER;
    private String told = "";

    /// @param addresses where a node is, as far as this one knows
    public QuorumOutlook(IntFunction<Optional<HostPort>> addresses) {
        this.addresses = addresses;
    }

    /// To be called every few seconds.
    ///
    /// @param nowMs by the clock of the state's times
    public void check(QuorumState quorum, long nowMs) {
        Optional<String> now = sentence(quorum, nowMs);
        if (now.isEmpty()) {
            if (toldMs != NEVER && quorum.leaderId() >= 0) {
                LOG.info("The quorum has a leader again, node {}.", quorum.leaderId());
            }
            sinceMs = NEVER;
            toldMs = NEVER;
            return;
        }
        if (sinceMs == NEVER) sinceMs = nowMs;
        if (isDue(now.get(), nowMs)) {
            told = now.get();
            toldMs = nowMs;
            LOG.warn("{}", told);
        }
    }

    private boolean isDue(String sentence, long nowMs) {
        if (nowMs - sinceMs < LASTS_MS) return false;
        if (toldMs == NEVER) return true;
        return nowMs - toldMs >= (sentence.equals(told) ? AGAIN_MS : CHANGES_MS);
    }

    /// Empty while there is a leader, and where nobody knows the voters.
    public Optional<String> sentence(QuorumState quorum, long nowMs) {
        if (quorum.leaderId() >= 0 || quorum.voters().size() < 2) return Optional.empty();
        List<String> heard = new ArrayList<>();
        List<String> silent = new ArrayList<>();
        for (QuorumState.Replica voter : quorum.voters()) {
            boolean isHeard = nowMs - voter.lastFetchTimestampMs() <= HEARD_MS;
            (isHeard ? heard : silent).add(shown(voter.nodeId()));
        }
        int needed = quorum.voters().size() / 2 + 1;
        String state =
                "The quorum has no leader, so nothing of the cluster can be changed. Of its %d voters this node hears %s%s; %d are needed."
                        .formatted(
                                quorum.voters().size(),
                                all(heard),
                                silent.isEmpty() ? "" : ", but not " + all(silent),
                                needed);
        return Optional.of(
                heard.size() >= needed
                        ? state + " That is enough: they should agree on one soon."
                        : state
                                + " Start those that are down, with the data directories that they had. A voter that has lost its directory is replaced by itself, one at a time, while the others have a leader: after each, wait until './ottla cluster status' shows that all vote.");
    }

    private String shown(int nodeId) {
        return "node "
                + nodeId
                + addresses.apply(nodeId).map(address -> " (" + address + ")").orElse("");
    }

    private static String all(List<String> nodes) {
        return nodes.isEmpty() ? "nobody" : nodes.stream().collect(Collectors.joining(" and "));
    }
}
