package io.belay.internal.primitive;

import io.belay.LeaderElection;
import io.belay.LeaderElection.Leader;
import io.belay.internal.claim.Engine;
import io.belay.internal.gate.Gate;
import io.belay.internal.gate.Gates;
import io.belay.internal.machine.Terms;
import io.belay.internal.time.StepLock;
import io.belay.internal.time.Threads;
import io.belay.internal.time.Timers;
import io.belay.internal.time.Workers;
import io.belay.spi.Claim;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An observer of an election, for one listener. Its sticky claim is wanted when something has changed (see
 * {@link Election}); the observer then takes a fresh sequence, under which it will be told again, and reads who leads
 * only after that: a change before the fresh sequence is seen by the reading, and a later one is told. As a push may
 * be lost, it also reads when the lease of the leader it knows ends, at each third of its own, and after a
 * reconnection. Where no claims stand side by side, as on a quorum, it has none, and only reads.
 */
final class Observer extends Timers.Timer implements LeaderElection.Observation {
    private static final Log LOG = Log.of(LogName.LEADER);

    /** The time from the end of a leader's lease to a reading, in nanoseconds: the next leader has asked by then. */
    private static final long AFTER_THE_END = 150_000_000;

    /** The longest time from a reading that failed to the next one, in nanoseconds. */
    private static final long AFTER_A_FAILURE = 1_000_000_000;

    private final Engine engine;
    private final String election;
    private final Gate gate;
    private final long lease;
    private final Consumer<? super Optional<Leader>> listener;
    private final String thread = Threads.name(Thread.currentThread());
    private final StepLock steps = new StepLock(() -> {});

    /** The calls of the listener: one at a time, whichever threads bring them, and outside any lock. */
    private final StepLock calls = new StepLock(() -> {});

    private final Queue<Optional<Leader>> untold = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    // Guarded by the lock of the steps: the reading that is to be answered, if there is one, and whether another is to
    // follow that.
    private @Nullable Object reading;
    private long askedAt;
    private boolean again;

    /** The term of the leader that was told last: that its thread has another name is no change. */
    private @Nullable Optional<?> known;

    /** Makes one of an election, whose observers hold a part of that resource. */
    Observer(Gates gates, Lock election, String resource, Consumer<? super Optional<Leader>> listener) {
        engine = gates.engine;
        this.election = election.name();
        lease = election.options.lease().toNanos();
        this.listener = listener;
        gate = gates.apart(Terms.of(resource, Resource.WHOLE, 1, lease / 1000, Terms.Use.OBSERVER), this::noticed);
    }

    /** Begins to observe. It throws nothing once the timer is set, which does again what fails. */
    void start() {
        askAgainIn(lease / 3);
        Workers.perform(() -> fire(engine.time.nanos()), "An observer failed; it tries again");
    }

    /** Has a claim, or none any more once it is closed: the timer comes until that is done. */
    private void claim() {
        if (closed) {
            gate.step(machine -> machine.observe(null));
            engine.timers.cancel(this);
        } else if (engine.capabilities().sharing()) {
            gate.step(machine -> machine.observe(thread));
        }
    }

    /** Reads, as something has changed; or ends with the client, while that is paused until timers fire again. */
    private void noticed() {
        if (!engine.isDown()) {
            steps.run(() -> ask(false));
        } else if (engine.state().isOver()) {
            close();
        } else {
            askAgainIn(0);
        }
    }

    /** Reads, unless a reading that counts is under way: then after that, as two may overtake each other on their way. */
    private void ask(boolean anew) {
        again = reading != null && !anew;
        if (again) {
            return;
        }
        Object mine = new Object();
        askedAt = engine.time.nanos();
        reading = mine;
        steps.later(() -> engine.inspect(election).whenComplete((seen, error) -> steps.run(() -> saw(mine, seen))));
    }

    private void saw(Object answered, Store.@Nullable Snapshot seen) {
        if (closed || reading != answered) {
            return;
        }
        reading = null;
        if (again) {
            ask(true);
        }
        if (seen == null) {
            askAgainIn(Math.min(lease / 3, AFTER_A_FAILURE));
            return;
        }
        Optional<Claim> term = Primitive.whole(seen); // empty while nobody leads
        long left = term.map(held -> (held.deadline() - seen.time()) * 1000 + AFTER_THE_END)
                .orElse(Long.MAX_VALUE);
        askAgainIn(Math.min(lease / 3, left));
        Optional<?> present = term.map(held -> List.of(held.id(), held.sequence()));
        if (!present.equals(known)) {
            untold.add(term.map(Election::leader));
            known = present; // not before: what fails is done again after the next reading
        }
        if (!untold.isEmpty()) { // as it may be from before: an executor may have dropped a call
            steps.later(() -> engine.callbacks.run(() -> calls.run(() -> calls.later(this::tellAll))));
        }
    }

    private void askAgainIn(long nanos) {
        engine.timers.schedule(this, engine.time.nanos() + nanos);
    }

    @Override
    public void fire(long now) {
        boolean down = engine.isDown(); // it was paused a moment ago: the last timers fire
        // First, as it does again what fails.
        engine.timers.schedule(this, now + (down ? AFTER_A_FAILURE : lease / 3));
        if (!down) {
            steps.run(() -> {
                steps.later(this::claim);
                ask(now - askedAt >= engine.requestTimeout()); // then one that is unanswered counts no more
            });
        }
    }

    /** Tells the listener what is untold, in the order of the changes. */
    private void tellAll() {
        for (Optional<Leader> next = untold.poll(); next != null && !closed; next = untold.poll()) {
            try {
                listener.accept(next);
            } catch (Throwable e) { // whatever it is: later changes are told all the same
                LOG.error("A listener of the election '{}' failed; it is told of later changes", election, e);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        steps.run(() -> steps.later(this::claim));
    }

    @Override
    public String toString() {
        return "Observation of '" + election + "'";
    }
}
