package dev.ottla.broker.server;

import dev.ottla.metadata.MetadataLog;
import dev.ottla.quorum.store.MetadataStore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// The engine behind the metadata log of this node. Immutable.
///
/// @param store the copy that the engine writes
/// @param caughtUp done when everything is here that the cluster had committed at some moment of
///   this start; fails with a sentence for the operator
/// @param trouble why that takes long, as a sentence; any thread
record MetadataEngine(
        MetadataLog log,
        MetadataStore store,
        CompletableFuture<Void> caughtUp,
        Supplier<Optional<String>> trouble) {}
