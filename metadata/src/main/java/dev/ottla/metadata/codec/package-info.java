/// The bytes of metadata records: [dev.ottla.metadata.codec.MetadataCodec] is the one place of this
/// module that sees the generated messages. Stateless; any thread.
@NullMarked
package dev.ottla.metadata.codec;

import org.jspecify.annotations.NullMarked;
