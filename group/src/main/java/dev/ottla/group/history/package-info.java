/// Why groups rebalanced: [RebalanceHistory] keeps the last causes of one group. Owned by the
/// thread that owns the group.
@NullMarked
package dev.ottla.group.history;

import org.jspecify.annotations.NullMarked;
