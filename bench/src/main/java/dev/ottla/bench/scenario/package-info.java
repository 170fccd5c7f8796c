/// What is measured, family by family, and what the ratios shall be.
///
/// Main types: [Scenario], one small class each, listed in [Catalog]; [Targets]. A scenario runs on
/// the main thread and reports figures to its [Trial]; no figure counts unless what it sent was
/// found stored once and in order.
@NullMarked
package dev.ottla.bench.scenario;

import org.jspecify.annotations.NullMarked;
