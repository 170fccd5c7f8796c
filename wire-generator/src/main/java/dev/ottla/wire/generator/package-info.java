/// Turns the official message definitions (JSON) into Java records; runs in the build of `wire`
/// only.
///
/// [dev.ottla.wire.generator.GenerateMessages] is the program:
/// [dev.ottla.wire.generator.DefinitionReader] reads the definitions,
/// [dev.ottla.wire.generator.MessageFile] writes one file a message and
/// [dev.ottla.wire.generator.EnumFiles] the tables over all of them. Runs on one thread. May not
/// import `wire`: the generated code names its classes as text.
@NullMarked
package dev.ottla.wire.generator;

import org.jspecify.annotations.NullMarked;
