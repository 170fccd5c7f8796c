/// The group coordinator state machines.
@NullMarked
package dev.ottla.group;

import org.jspecify.annotations.NullMarked;
