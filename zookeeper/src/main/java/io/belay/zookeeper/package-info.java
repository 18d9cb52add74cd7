/** Belay's locks on Apache ZooKeeper: a node for each claim, and a session whose end ends them all. */
@NullMarked
package io.belay.zookeeper;

import org.jspecify.annotations.NullMarked;
