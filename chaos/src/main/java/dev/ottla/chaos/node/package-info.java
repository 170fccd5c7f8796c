/// What runs inside a node of a chaos run, beside the broker: the distribution with a disk and a
/// clock that do as they are told.
///
/// Main types: [FaultyNode], the main class of such a process, which is told by lines on its
/// standard input; [LosableDisk], which forgets what was not synced; [UnrulyDisk], which fails and
/// is slow. This package alone uses the broker; nothing else of the harness uses it.
@NullMarked
package dev.ottla.chaos.node;

import org.jspecify.annotations.NullMarked;
