package io.belay.spring;

import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.ReleaseOutcome;
import io.belay.spring.Locked.Mode;
import io.belay.support.Mutex;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The locks that a call holds, seen by the calls inside of it on the same thread. Confined to that thread, but for the leases, and for
 * how long they are kept.
 */
final class HeldLocks {
    private static final ThreadLocal<Deque<HeldLocks>> CALLS = ThreadLocal.withInitial(ArrayDeque::new);
    /** The calls that go on, the innermost first: one is there again for each call inside of it which it covers. */
    private static final ThreadLocal<Deque<HeldLocks>> RUNNING = ThreadLocal.withInitial(ArrayDeque::new);

    private final List<LockName> names;
    private final List<Lease> leases;
    private final @Nullable Method method;
    private final Mutex lock = new Mutex();
    private CompletableFuture<Void> work = CompletableFuture.completedFuture(null); // guarded by the lock
    private int going; // likewise
    private boolean returned; // likewise
    private boolean around;
    private volatile boolean committed;
    private boolean inside;
    /** How many calls go on under it: itself, and those inside of it which it covers. */
    private int running;

    /** Makes those of a call of that method; null for a call that is tied to none. */
    HeldLocks(List<LockName> names, List<Lease> leases, @Nullable Method method) {
        this.names = names;
        this.leases = leases;
        this.method = method;
    }

    /** Makes a call whose transactions are not tied to the locks that the calls around it hold. */
    static HeldLocks none() {
        return new HeldLocks(List.of(), List.of(), null);
    }

    /** Returns the calls to which transactions that begin or commit now are tied, the innermost first. */
    static List<HeldLocks> all() {
        dropOver();
        List<HeldLocks> all =
                CALLS.get().stream().takeWhile(call -> call.method != null).toList();
        removeIfEmpty(CALLS);
        return all;
    }

    /** Returns whether what the thread does now is tied to this call: no call that is tied to none lies between. */
    boolean isTied() {
        return all().contains(this);
    }

    /** Returns the leases of all of these for which there are fences. */
    static List<Lease> allFenced() {
        return all().stream().flatMap(call -> call.fenced().stream()).toList();
    }

    /** Returns the locks of the innermost call that goes on, or null: of another one they may be held for longer. */
    static @Nullable HeldLocks innermost() {
        HeldLocks held = RUNNING.get().stream()
                .filter(call -> call.method != null)
                .findFirst()
                .orElse(null);
        removeIfEmpty(RUNNING);
        return held;
    }

    /** Drops what another thread has ended, as a server of JTA does by which a transaction has passed its time. */
    private static void dropOver() {
        CALLS.get().removeIf(HeldLocks::isOver);
    }

    private static void removeIfEmpty(ThreadLocal<Deque<HeldLocks>> calls) {
        if (calls.get().isEmpty()) {
            calls.remove();
        }
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
        removeIfEmpty(CALLS);
        return null;
    }

    /** Does the same for one call; one that is over holds none. */
    boolean covers(List<LockName> wanted) {
        List<LockName> had = wanted.stream()
                .filter(name -> names.stream().anyMatch(name::isSameLock))
                .toList();
        if (had.isEmpty() || isOver()) {
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

    /** Throws if the release of one has found it to be lost. */
    void ensureReleased() {
        leases.stream()
                .filter(lease -> lease.release() == ReleaseOutcome.ALREADY_LOST)
                .forEach(Lease::ensureHeld);
    }

    /** Does the same as {@link #ensureHeld} for what may go on after the call: locks that it gave back by itself were not lost. */
    void ensureNotLost() {
        try {
            ensureHeld();
        } catch (LeaseLostException e) {
            if (!isOver() || !e.isReleased()) {
                throw e;
            }
        }
    }

    /**
     * Has the locks kept until what it returns is completed: the work of a call inside of this one goes on under them. If this one
     * is over, that is completed already.
     */
    CompletableFuture<Void> keep() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        try (var held = lock.hold()) {
            if (isOver()) {
                return CompletableFuture.completedFuture(null);
            }
            work = going++ == 0 ? new CompletableFuture<>() : work;
        }
        var unused = done.thenRun(this::done);
        return done;
    }

    private void done() {
        @Nullable CompletableFuture<Void> last;
        try (var held = lock.hold()) {
            last = --going == 0 ? work : null;
        }
        if (last != null) {
            last.complete(null);
        }
    }

    /** Ends the call. Returns what is done when no work of calls inside of it goes on: by then it is over. */
    CompletableFuture<Void> over() {
        try (var held = lock.hold()) {
            returned = true;
            return work;
        }
    }

    private boolean isOver() {
        try (var held = lock.hold()) {
            return returned && going == 0;
        }
    }

    /**
     * Notes that a transaction lies around the body of that method: if it is this call's, nothing comes after its commit, unless
     * it lies around the lock, too. If the method was called again inside of its body, it may be begun there, and end
     * there. Of a reactive call none runs on a thread, and {@link ReactiveCall} knows those inside.
     */
    void inTransaction(Method called) {
        around |= !inside && called.equals(method) && running <= 1;
    }

    /** Notes how a transaction under it ends: it commits, after a look at the leases, or is rolled back, perhaps without one. */
    void ends(boolean commits) {
        committed = commits;
    }

    /** Returns whether the last thing that the call does is to commit, with a look at the leases right before. */
    boolean endsByCommit() {
        return around && committed;
    }

    void begin() {
        CALLS.get().push(this);
        enter();
    }

    /** Begins a call inside of this one, under its locks. */
    void enter() {
        running++;
        RUNNING.get().push(this);
    }

    /** Ends a call inside of this one; or this one, while its locks are held for longer. */
    void leave() {
        running--;
        RUNNING.get().removeFirstOccurrence(this);
        removeIfEmpty(RUNNING);
    }

    /** Begins inside of a transaction that lies around the lock. */
    void beginInside() {
        inside = true;
        begin();
    }

    boolean isInside() {
        return inside;
    }

    /** Returns whether it is a call of that method inside of a transaction. */
    boolean isInsideAt(Method called) {
        return inside && called.equals(method);
    }

    void end() {
        while (running > 0) {
            leave();
        }
        CALLS.get().removeFirstOccurrence(this);
        removeIfEmpty(CALLS);
    }
}
