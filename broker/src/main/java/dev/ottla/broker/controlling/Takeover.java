package dev.ottla.broker.controlling;

import dev.ottla.broker.address.PeerAddresses;
import dev.ottla.config.HostPort;
import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.RegisterBroker;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.liveness.Finding;
import dev.ottla.wire.ErrorCode;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// Looks, on the controller, whether a process that registers may take the place of the one that is
/// in service under its node id. One that names the same directories holds their lock, so the other
/// process is gone, unless they are a copy. So where it is found elsewhere the other address is
/// asked: when that answers, the newcomer is refused. Thread-safe.
///
/// | in service under that id | the newcomer |
/// |---|---|
/// | nobody | comes in |
/// | one with other directories | is refused by the command that registers |
/// | one with its directories, at its own address | comes in at once: the process was restarted |
/// | one with its directories, at another address that answers | is refused |
/// | one with its directories, at another address that does not answer | comes in |
public final class Takeover {
    private final Supplier<ClusterImage> image;
    private final PeerAddresses addresses;
    private final Probe probe;

    public Takeover(Supplier<ClusterImage> image, PeerAddresses addresses, Probe probe) {
        this.image = image;
        this.addresses = addresses;
        this.probe = probe;
    }

    /// Completes on any thread: with why the newcomer must not come in, or empty.
    public CompletableFuture<Optional<ApiError>> problem(RegisterBroker newcomer) {
        CompletableFuture<Optional<ApiError>> answer = new CompletableFuture<>();
        Optional<BrokerState> present =
                image.get()
                        .broker(newcomer.brokerId())
                        .filter(registered -> isToBeLookedAt(registered, newcomer));
        Optional<HostPort> address = present.flatMap(addresses::find);
        if (address.isEmpty() || address.equals(addresses.find(newcomer.endpoints()))) {
            answer.complete(Optional.empty());
            return answer;
        }
        probe.look(
                address.get(),
                finding ->
                        answer.complete(
                                finding == Finding.ANSWERED
                                        ? Optional.of(taken(newcomer, address.get()))
                                        : Optional.empty()));
        return answer;
    }

    private static boolean isToBeLookedAt(BrokerState registered, RegisterBroker newcomer) {
        return !registered.fenced()
                && !registered.incarnationId().equals(newcomer.incarnationId())
                && !Collections.disjoint(registered.directories(), newcomer.directories());
    }

    private static ApiError taken(RegisterBroker newcomer, HostPort address) {
        BrokerEndpoint first = newcomer.endpoints().getFirst();
        return ApiError.of(
                ErrorCode.DUPLICATE_BROKER_REGISTRATION,
                "Broker %d is in service at %s and answers there: the one at %s:%d names the same"
                        + " data directories, which must be copies. Give it another node id and"
                        + " empty directories, or stop the other one.",
                newcomer.brokerId(),
                address,
                first.host(),
                first.port());
    }
}
