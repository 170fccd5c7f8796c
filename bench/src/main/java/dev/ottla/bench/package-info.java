/// Side-by-side measurements of Ottla and Apache Kafka on one machine.
///
/// Main type: [Compare]. Both brokers are real processes, driven by the same unmodified clients and
/// by Kafka's own load tools, in alternating runs. Runs on the main thread; imports nothing of the
/// broker, which it only knows as a process.
@NullMarked
package dev.ottla.bench;

import org.jspecify.annotations.NullMarked;
