/// Record batches of format version 2: views over the bytes that hold them ([RecordBatch],
/// [RecordBatches], [RecordCursor]), the builder, the codecs, and the checks that a produced batch
/// must pass. Everything is owned by the thread that owns the buffer; nothing here starts a thread,
/// reads a clock or touches a file. May import `wire` only.
@NullMarked
package dev.ottla.record;

import org.jspecify.annotations.NullMarked;
