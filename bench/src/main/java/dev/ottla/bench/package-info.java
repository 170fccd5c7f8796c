/// Side-by-side measurements of Ottla and Apache Kafka on one machine: the commands.
///
/// Main type: [BenchCommand]. Both brokers are real processes under the same load, from a generator
/// of our own (`load`) and from Kafka's own tools, in alternating runs (`scenario`); figures become
/// a page with tables, raw data and pictures (`report`). Runs on the main thread.
@NullMarked
package dev.ottla.bench;

import org.jspecify.annotations.NullMarked;
