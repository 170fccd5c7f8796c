/// Helpers for the tests of all modules, in the test jar of the lowest one: [Seeds] for randomised
/// tests, [ScenarioFiles] for scenarios. Nothing here knows anything of the product.
@NullMarked
package dev.ottla.testing;

import org.jspecify.annotations.NullMarked;
