/// What happened in a run, as a list of events that is only added to: what clients asked and were
/// answered, what they read, when faults began and ended, what every replica holds in the end.
///
/// Main types: [Event], [History] (writes a file, thread-safe), [HistoryFile] (reads it). The order
/// of the lines is the order of events: what is asked is written before it is sent, what is
/// answered after it arrived. So an answer that stands before a question was known before that was
/// asked.
@NullMarked
package dev.ottla.chaos.history;

import org.jspecify.annotations.NullMarked;
