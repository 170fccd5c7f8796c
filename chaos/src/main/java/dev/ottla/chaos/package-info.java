/// `./ottla chaos`: faults against a real cluster under load, and the proof of what it kept.
///
/// Main types: [ChaosCommand], [ChaosRun]. It knows the broker as a process only, starts it from
/// the distribution and reads its logs when it has stopped; of a cluster that was there before it
/// knows what the protocol tells.
@NullMarked
package dev.ottla.chaos;

import org.jspecify.annotations.NullMarked;
