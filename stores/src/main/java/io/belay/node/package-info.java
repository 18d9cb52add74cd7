/**
 * Stores that keep one node for each claim, in order, as etcd and ZooKeeper do: what such a service is to offer
 * ({@link io.belay.node.Nodes}), and the {@link io.belay.node.NodeStore} that makes locks of it. A service's own
 * liveness, by leases or sessions, takes the place of deadlines and of the store's clock; whether a claim is granted
 * follows from the nodes before its own.
 */
@NullMarked
package io.belay.node;

import org.jspecify.annotations.NullMarked;
