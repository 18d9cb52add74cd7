/** Locks on etcd: each claim is a key, attached to a lease, in the order of create revisions. */
@NullMarked
package io.belay.etcd;

import org.jspecify.annotations.NullMarked;
