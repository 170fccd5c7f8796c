/// Leader and follower state machines of one partition.
@NullMarked
package dev.ottla.replication;

import org.jspecify.annotations.NullMarked;
