package dev.ottla.broker.controlling;

import dev.ottla.config.HostPort;
import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.liveness.Finding;
import dev.ottla.metadata.service.ImageListener;
import dev.ottla.metadata.service.MetadataService;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// On a voter: notices that the process of the active controller has ended, so that the voters need
/// not wait until it was silent for long. When the connection of this broker's heartbeats to it is
/// broken and its machine refuses new ones, the first of the other voters asks for votes. The rest
/// leave it to their time-outs, for when two ask at the same time the votes are split.
///
/// Owned by the metadata thread.
public final class ControllerWatch implements ImageListener {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerWatch.class);
    private static final long LOOK_EVERY_MS = 100;

    /// In how many looks all is asked for, where the state of the connection says enough; to ask
    /// the engine is dear.
    private static final int QUIET_LOOKS = 10;

    private static final long BETWEEN_REFUSALS_MS = 50;
    private static final int REFUSALS = 2;

    private static final int NOBODY = -1;

    /// What the wiring gives.
    ///
    /// @param controller where the active controller is, as far as this node knows; asked on the
    ///   metadata thread
    /// @param isConnected whether heartbeats reach a node; asked on the metadata thread
    public record Surroundings(
            int nodeId,
            MetadataService metadata,
            Executor metadataThread,
            Supplier<Optional<HostPort>> controller,
            Predicate<HostPort> isConnected,
            Probe probe,
            Delays delays) {}

    private final Surroundings with;
    private boolean watching;

    /// To whom the connection stood when it was looked at last.
    private int watched = NOBODY;

    /// Where that one is.
    private Optional<HostPort> watchedAt = Optional.empty();

    /// Whether this voter stands for election when the controller is gone.
    private boolean next = true;

    private int quietLooks;
    private boolean looking;
    private int refusals;

    public ControllerWatch(Surroundings surroundings) {
        this.with = surroundings;
    }

    @Override
    public void onImage(ImageDelta delta, ClusterImage image) {
        if (!watching && !isAlone(image)) {
            watching = true;
            watch();
        }
    }

    private boolean isAlone(ClusterImage image) {
        return image.brokers().keySet().stream().allMatch(id -> id == with.nodeId());
    }

    private void watch() {
        if (isAlone(with.metadata().image())) {
            watching = false;
            return;
        }
        check();
        later(LOOK_EVERY_MS, this::watch);
    }

    private void later(long delayMs, Runnable task) {
        with.delays().after(delayMs, () -> with.metadataThread().execute(task));
    }

    private void check() {
        if (looking || (isQuiet() && ++quietLooks % QUIET_LOOKS != 0)) return;
        QuorumState quorum = with.metadata().quorum();
        Optional<HostPort> address = with.controller().get();
        next = quorum.leaderId() != with.nodeId() && isNext(quorum);
        watchedAt = address;
        if (address.isEmpty() || !next) {
            watched = NOBODY;
        } else if (with.isConnected().test(address.get())) {
            watched = quorum.leaderId();
            refusals = 0;
        } else if (watched == quorum.leaderId()) {
            look(watched, address.get());
        }
    }

    /// Whether nothing needs to be done but to notice when another node leads.
    private boolean isQuiet() {
        if (!next) return true;
        return watched != NOBODY
                && refusals == 0
                && watchedAt.filter(with.isConnected()).isPresent();
    }

    /// Whether this is the voter of the lowest id beside the one that leads.
    private boolean isNext(QuorumState quorum) {
        return quorum.voters().stream()
                .mapToInt(QuorumState.Replica::nodeId)
                .filter(id -> id != quorum.leaderId())
                .min()
                .stream()
                .anyMatch(id -> id == with.nodeId());
    }

    private void look(int leader, HostPort address) {
        looking = true;
        with.probe().look(address, with.metadataThread(), finding -> onFound(leader, finding));
    }

    private void onFound(int leader, Finding finding) {
        looking = false;
        QuorumState quorum = with.metadata().quorum();
        if (quorum.leaderId() != leader || finding == Finding.ANSWERED) {
            watched = NOBODY;
        } else if (finding != Finding.REFUSED) {
            refusals = 0;
        } else if (++refusals < REFUSALS) {
            later(BETWEEN_REFUSALS_MS, this::check);
        } else {
            watched = NOBODY;
            LOG.info("The process of the active controller, node {}, is gone.", leader);
            with.metadata().leaderIsGone(leader);
        }
    }
}
