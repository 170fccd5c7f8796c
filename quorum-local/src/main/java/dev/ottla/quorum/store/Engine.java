package dev.ottla.quorum.store;

import dev.ottla.metadata.MetadataLog;

/// An engine that can take over a node's copy of the metadata log from another engine, and leave it
/// to one, while the node runs. Everything on the metadata thread.
public interface Engine extends MetadataLog {
    /// Like [#start], with a copy that is open and whose contents `listener` has seen.
    void resume(Listener listener);

    /// Like [#close], but the copy stays open for the engine that follows. The listener hears that
    /// this node leads no longer, if it did.
    void detach();
}
