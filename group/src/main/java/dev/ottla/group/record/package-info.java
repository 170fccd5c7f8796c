/// The records of `__consumer_offsets`: [GroupRecord] is their content in our own types,
/// [GroupRecordCodec] turns it into the key and value bytes that Kafka writes and reads, and is the
/// one class of this module that sees generated record types. Values are immutable and may cross
/// threads. May not import any state machine.
@NullMarked
package dev.ottla.group.record;

import org.jspecify.annotations.NullMarked;
