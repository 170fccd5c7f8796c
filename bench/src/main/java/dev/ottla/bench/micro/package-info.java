/// JMH measurements of the inner loops: decoding, validation, index look-up, append, encoding.
///
/// One class each; `./ottla bench micro` runs them. States are made in constructors and owned by
/// JMH's thread. Imports nothing of the rest of the harness but the shapes of `load`.
@NullMarked
package dev.ottla.bench.micro;

import org.jspecify.annotations.NullMarked;
