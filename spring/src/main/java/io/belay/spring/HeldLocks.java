package io.belay.spring;

import io.belay.Lease;
import io.belay.spring.Locked.Mode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The locks that a call holds, seen by the calls inside of it on the same thread. Confined to that thread, but for the leases. */
final class HeldLocks {
    private static final ThreadLocal<Deque<HeldLocks>> CALLS = ThreadLocal.withInitial(ArrayDeque::new);

    private final List<LockName> names;
    private final List<Lease> leases;
    private boolean guarded;

    HeldLocks(List<LockName> names, List<Lease> leases) {
        this.names = names;
        this.leases = leases;
    }

    static @Nullable HeldLocks innermost() {
        HeldLocks held = CALLS.get().peek();
        if (held == null) {
            CALLS.remove();
        }
        return held;
    }

    /**
     * Returns the call that holds all of these locks; null if no call holds any of them.
     *
     * @throws IllegalStateException if some are held, or in another mode
     */
    static @Nullable HeldLocks covering(List<LockName> wanted) {
        for (HeldLocks held : CALLS.get()) {
            if (held.covers(wanted)) {
                return held;
            }
        }
        if (CALLS.get().isEmpty()) {
            CALLS.remove();
        }
        return null;
    }

    /** Does the same for one call. */
    boolean covers(List<LockName> wanted) {
        List<LockName> had = wanted.stream()
                .filter(name -> names.stream().anyMatch(name::isSameLock))
                .toList();
        if (had.isEmpty()) {
            return false;
        }
        if (!names.containsAll(wanted)) {
            throw new IllegalStateException("the lock '" + had.get(0).name()
                    + "' is held by an outer call of this thread, in another mode or without all of "
                    + wanted.stream().map(LockName::name).toList()
                    + ": the inner call would wait for itself; take all at the outer call, in the mode that is needed");
        }
        return true;
    }

    List<Lease> leases() {
        return leases;
    }

    /** Returns the leases for which there are fences; readers hold theirs side by side. */
    List<Lease> fenced() {
        return names.stream().anyMatch(name -> name.mode() == Mode.READ) ? List.of() : leases;
    }

    void ensureHeld() {
        leases.forEach(Lease::ensureHeld);
    }

    /** Notes that a transaction looks at the leases before it commits. */
    void guarded() {
        guarded = true;
    }

    boolean isGuarded() {
        return guarded;
    }

    void begin() {
        CALLS.get().push(this);
    }

    void end() {
        Deque<HeldLocks> calls = CALLS.get();
        calls.removeFirstOccurrence(this);
        if (calls.isEmpty()) {
            CALLS.remove();
        }
    }
}
