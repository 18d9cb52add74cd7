package io.belay.node;

import io.belay.spi.ClaimId;
import io.belay.support.Mutex;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The numbers under which a client's claims have their nodes, each claim's until it has left: the same few again and
 * again, for a service that remembers the keys of nodes that have gone and would have to step over more and more of
 * them. Thread-safe.
 */
public final class Slots {
    private final Mutex lock = new Mutex();
    private final Map<ClaimId, Integer> taken = new HashMap<>();
    private final BitSet used = new BitSet();

    /** Makes slots of which none is taken. */
    public Slots() {}

    /** Returns the claim's number, the same one until it is given back; for nobody's, of which there is one at a time, 0. */
    public long take(ClaimId id) {
        Objects.requireNonNull(id, "id");
        if (id.client() == ClaimId.NOBODY) {
            return 0;
        }
        try (var held = lock.hold()) {
            return taken.computeIfAbsent(id, claim -> {
                int free = used.nextClearBit(0);
                used.set(free);
                return free;
            });
        }
    }

    /** Returns whether the claim has a number: it took one, and has not been left since. Nobody's always has one. */
    public boolean isTaken(ClaimId id) {
        Objects.requireNonNull(id, "id");
        try (var held = lock.hold()) {
            return id.client() == ClaimId.NOBODY || taken.containsKey(id);
        }
    }

    /**
     * Drops the claim's number, if any, which nobody takes again: something of the claim may still come or end late. Empty
     * for a claim of nobody, whose number the next one has.
     */
    public OptionalLong abandon(ClaimId id) {
        Objects.requireNonNull(id, "id");
        Integer slot = remove(id);
        return slot == null ? OptionalLong.empty() : OptionalLong.of(slot);
    }

    /**
     * Ends the node of a claim, of which no enter can still be on its way, as it was seen. If it is not there any more it may
     * have moved: then ends whatever has the claim's number.
     *
     * @param id the claim
     * @param asSeen yields whether the node was there and was ended
     * @param sweep ends whatever has the number
     * @return whether anything was ended
     */
    public CompletionStage<Boolean> end(
            ClaimId id, CompletionStage<Boolean> asSeen, Supplier<CompletionStage<Boolean>> sweep) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(asSeen, "asSeen");
        Objects.requireNonNull(sweep, "sweep");
        return asSeen.thenCompose(ended -> {
            if (!ended) {
                return sweep.get();
            }
            Integer slot = remove(id);
            if (slot != null) {
                giveBack(slot);
            }
            return CompletableFuture.completedStage(true);
        });
    }

    private @Nullable Integer remove(ClaimId id) {
        try (var held = lock.hold()) {
            return taken.remove(id);
        }
    }

    private void giveBack(int slot) {
        try (var held = lock.hold()) {
            used.clear(slot);
        }
    }
}
