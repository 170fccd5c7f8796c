/// What every command's line is read and explained with, so that all are read alike.
///
/// Main type: [CommandLines]. It holds no state and has no thread. It knows the name of no command
/// and of no option, and prints nothing.
@NullMarked
package dev.ottla.commandline;

import org.jspecify.annotations.NullMarked;
