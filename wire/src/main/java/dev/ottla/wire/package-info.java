/// The Kafka wire protocol: primitives ([dev.ottla.wire.WireReader], [dev.ottla.wire.WireWriter]),
/// error codes and the small types that messages are made of. The messages themselves and the API
/// keys are generated into `dev.ottla.wire.message`, which uses this package and not the other way
/// round.
///
/// Nothing here owns a thread. May not import anything but the JDK.
@NullMarked
package dev.ottla.wire;

import org.jspecify.annotations.NullMarked;
