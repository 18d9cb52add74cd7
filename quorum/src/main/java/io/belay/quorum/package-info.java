/**
 * The {@code quorum:} store: a lock is held by whoever has it on a majority of several independent stores (Redlock).
 *
 * <p>{@link io.belay.quorum.QuorumStore} is what the engine sees; its claims are
 * {@link io.belay.quorum.QuorumClaim}s. A {@link io.belay.quorum.Round} is a question to all
 * {@link io.belay.quorum.Member}s at once. Everything happens in steps of one {@link io.belay.quorum.Loop}, so
 * nothing here is guarded by a lock.
 */
@NullMarked
package io.belay.quorum;

import org.jspecify.annotations.NullMarked;
