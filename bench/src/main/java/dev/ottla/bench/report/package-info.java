/// Figures and what is made of them: statistics, tables, raw data, pictures, the page.
///
/// Main types: [Samples] and [PerformancePage]. All of it is pure but for reading and writing the
/// files under `docs`; owned by the main thread. Imports nothing of the rest of the harness.
@NullMarked
package dev.ottla.bench.report;

import org.jspecify.annotations.NullMarked;
