/// Handlers of the group APIs: translate between generated messages and the coordinators' own
/// types.
///
/// Main types: [GroupReplies] and one class for each API. Run on network loops and do not wait: the
/// answer comes from the shard of the coordinator. Imports no sockets and no files.
@NullMarked
package dev.ottla.broker.handler.group;

import org.jspecify.annotations.NullMarked;
