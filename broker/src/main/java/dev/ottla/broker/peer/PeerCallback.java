package dev.ottla.broker.peer;

/// Hears what became of one request: exactly one of the two, once, on the network loop.
public interface PeerCallback {
    /// The response is to be released when its byte views are not needed any more.
    void onResponse(PeerResponse response);

    void onFailure(PeerException failure);
}
