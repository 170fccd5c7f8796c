package dev.ottla.broker.telemetry;

import dev.ottla.broker.metrics.TelemetryMetrics;
import dev.ottla.record.Compression;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Supplier;

/// What this broker asks of clients and gets from them. Owned by one shard's thread.
///
/// It remembers each client instance that came here, up to a bound, in order to see that none comes
/// too often; forgetting one only lets it ask again. Of what they push it counts the bytes and
/// keeps the newest push of each, within a budget. Times are monotonic milliseconds. Source:
/// KIP-714.
public final class ClientTelemetry {
    /// The codecs a client may push with, the preferred one first.
    public static final List<Compression> ACCEPTED_COMPRESSIONS =
            List.of(Compression.ZSTD, Compression.LZ4, Compression.GZIP, Compression.SNAPPY);

    private final Supplier<Uuid> ids;
    private final Limits limits;
    private final TelemetryMetrics metrics;

    /// The least recently seen first.
    private final SequencedMap<Uuid, ClientState> clients = new LinkedHashMap<>();

    /// The oldest first.
    private final SequencedMap<Uuid, KeptPush> pushes = new LinkedHashMap<>();

    private long keptBytes;
    private Subscriptions subscriptions = Subscriptions.NONE;
    private int generation;

    /// How much is remembered.
    ///
    /// @param maxPushBytes largest push (`telemetry.max.bytes`)
    /// @param maxClients that are remembered
    /// @param maxKeptBytes of pushes together
    public record Limits(int maxPushBytes, int maxClients, long maxKeptBytes) {
        /// Bounds of a broker that lets clients push `maxPushBytes`.
        public static Limits of(int maxPushBytes) {
            return new Limits(maxPushBytes, 16_384, 8L << 20);
        }
    }

    /// @param ids gives fresh random ids
    public ClientTelemetry(Supplier<Uuid> ids, Limits limits, TelemetryMetrics metrics) {
        this.ids = ids;
        this.limits = limits;
        this.metrics = metrics;
    }

    public int maxPushBytes() {
        return limits.maxPushBytes();
    }

    /// From now on this is wanted. Clients hear of it when they next ask or push.
    public void onSubscriptions(Subscriptions newSubscriptions) {
        subscriptions = newSubscriptions;
        generation++;
    }

    /// A client asks what is wanted of it; one whose id is zero gets an id.
    public SubscriptionReply onAsk(TelemetryClient asking, long nowMs) {
        TelemetryClient client =
                asking.instanceId().isZero() ? asking.withInstanceId(ids.get()) : asking;
        ClientState state = remember(client, nowMs);
        if (!state.tryAsk(nowMs)) {
            metrics.refused(ErrorCode.THROTTLING_QUOTA_EXCEEDED);
            return new SubscriptionReply.TooEarly();
        }
        return new SubscriptionReply.Wanted(client.instanceId(), state.wanted());
    }

    /// A client pushes. Returns [ErrorCode#NONE], after which what it pushes is to be looked at and
    /// `onChecked` to be called, or
    ///
    /// - INVALID_REQUEST: it has no id, or said before that it would end;
    /// - THROTTLING_QUOTA_EXCEEDED: its interval is not over;
    /// - UNKNOWN_SUBSCRIPTION_ID: something else is wanted by now, it should ask;
    /// - UNSUPPORTED_COMPRESSION_TYPE, TELEMETRY_TOO_LARGE.
    public ErrorCode onPush(TelemetryClient client, Push push, long nowMs) {
        ErrorCode error =
                client.instanceId().isReserved()
                        ? ErrorCode.INVALID_REQUEST
                        : remember(client, nowMs).onPush(push, limits.maxPushBytes(), nowMs);
        if (error != ErrorCode.NONE) {
            metrics.refused(error);
            return error;
        }
        return ErrorCode.NONE;
    }

    /// What was pushed has been looked at, with the result `error` of [PushedMetrics#check].
    public void onChecked(TelemetryClient client, Push push, ErrorCode error, long nowMs) {
        if (error != ErrorCode.NONE) {
            metrics.refused(error);
            return;
        }
        metrics.pushed(push.metrics().remaining());
        if (push.metrics().hasRemaining()) {
            keep(client, push.compression().orElseThrow(), push.metrics(), nowMs);
        }
    }

    private ClientState remember(TelemetryClient client, long nowMs) {
        ClientState known = clients.remove(client.instanceId());
        boolean current = known != null && known.generation() == generation;
        ClientState state =
                known != null && current
                        ? known
                        : new ClientState(client, subscriptions.wantedOf(client), generation);
        state.onSeen(nowMs);
        clients.putLast(client.instanceId(), state);
        forgetOld(nowMs);
        return state;
    }

    private void forgetOld(long nowMs) {
        Iterator<ClientState> oldest = clients.values().iterator();
        while (oldest.hasNext()) {
            ClientState state = oldest.next();
            if (clients.size() <= limits.maxClients() && !state.isExpired(nowMs)) {
                break;
            }
            oldest.remove();
            dropPush(state.client().instanceId());
        }
        metrics.clients(clients.size());
    }

    private void keep(TelemetryClient client, Compression codec, ByteBuffer bytes, long nowMs) {
        dropPush(client.instanceId());
        ByteBuffer copy = ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
        KeptPush kept = new KeptPush(client, codec, copy.asReadOnlyBuffer(), nowMs);
        pushes.putLast(client.instanceId(), kept);
        keptBytes += kept.sizeBytes();
        for (Iterator<KeptPush> oldest = pushes.values().iterator();
                keptBytes > limits.maxKeptBytes() && oldest.hasNext(); ) {
            keptBytes -= oldest.next().sizeBytes();
            oldest.remove();
        }
    }

    private void dropPush(Uuid instanceId) {
        KeptPush dropped = pushes.remove(instanceId);
        if (dropped != null) {
            keptBytes -= dropped.sizeBytes();
        }
    }

    /// The newest push of a client, if it is still kept.
    public Optional<KeptPush> lastPush(Uuid instanceId) {
        return Optional.ofNullable(pushes.get(instanceId));
    }

    int clientCount() {
        return clients.size();
    }
}
