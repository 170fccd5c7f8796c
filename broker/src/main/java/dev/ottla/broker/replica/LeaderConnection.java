package dev.ottla.broker.replica;

import dev.ottla.broker.request.RequestMemory;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchResponse;

/// A connection to a broker that leads partitions. Used by one fetcher; one request is under way at
/// a time.
public interface LeaderConnection {
    /// Makes connections.
    interface Connector {
        /// A connection to that broker, which may turn out to be out of reach with the first
        /// request.
        ///
        /// @param shard whose fetcher it is for
        LeaderConnection connect(int brokerId, int shard);
    }

    /// What comes back; on any thread, once for a request.
    interface Answer {
        /// The records of `response` lie in `memory`, which the receiver releases.
        void onResponse(FetchResponse response, RequestMemory memory);

        /// There will be no response, and this connection is not to be used any more.
        void onFailure(String reason);
    }

    void fetch(FetchRequest request, long timeoutMs, Answer answer);

    void close();
}
