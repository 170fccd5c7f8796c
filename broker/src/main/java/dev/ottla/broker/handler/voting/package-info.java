/// The APIs that change who votes on the metadata (KIP-853). Handlers run on a network loop; the
/// changes are made on the metadata thread by [dev.ottla.broker.voting.VoterChanges].
@NullMarked
package dev.ottla.broker.handler.voting;

import org.jspecify.annotations.NullMarked;
