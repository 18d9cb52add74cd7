package io.belay.internal.primitive;

import io.belay.LeaderElection;
import io.belay.LeaderElection.Leader;
import io.belay.internal.claim.Belief;
import io.belay.internal.claim.ClaimOwner;
import io.belay.internal.claim.Engine;
import io.belay.internal.claim.LiveClaim;
import io.belay.internal.claim.Present;
import io.belay.internal.time.StepLock;
import io.belay.internal.time.Threads;
import io.belay.internal.time.Timers;
import io.belay.spi.Claim;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Log;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An observer of an election, for one listener. Its sticky claim is wanted when something has changed (see
 * {@link Election}); the observer then takes a fresh sequence, under which it will be told again, and reads who leads
 * only after that: a change before the fresh sequence is seen by the reading, and a later one is told. As a push may
 * be lost, it also reads when the lease of the leader it knows ends, at each third of its own, and after a
 * reconnection.
 */
final class Observer extends Timers.Timer implements ClaimOwner, LeaderElection.Observation {
    private static final Log LOG = Log.of(LeaderElection.class);

    /** The time from the end of a leader's lease to a reading, in nanoseconds: the next leader has asked by then. */
    private static final long AFTER_THE_END = 150_000_000;

    /** The longest time from a reading that failed to the next one, in nanoseconds. */
    private static final long AFTER_A_FAILURE = 1_000_000_000;

    private final Engine engine;
    private final String election;
    private final String resource;
    private final long lease;
    private final Consumer<? super Optional<Leader>> listener;
    private final String thread = Threads.name(Thread.currentThread());
    private final StepLock steps = new StepLock(this::settle);

    // Guarded by the lock.
    private @Nullable LiveClaim claim;
    private long asked;
    private long answered;
    private @Nullable Optional<Leader> known;
    private final Queue<Optional<Leader>> untold = new ArrayDeque<>();
    private boolean telling;
    private boolean closed;

    Observer(
            Engine engine,
            String election,
            String resource,
            Duration lease,
            Consumer<? super Optional<Leader>> listener) {
        this.engine = engine;
        this.election = election;
        this.resource = resource;
        this.lease = lease.toNanos();
        this.listener = listener;
    }

    void start() {
        steps.run(() -> {
            enter();
            askAgainIn(lease / 3);
        });
    }

    private void enter() {
        ClaimSpec spec = new ClaimSpec(Resource.WHOLE, 1, lease / 1000, 0, false, true);
        LiveClaim entered = new LiveClaim(engine, resource, engine.owner(thread), spec, this, steps);
        claim = entered;
        entered.enter();
    }

    @Override
    public void changed(LiveClaim changed, Belief before, long now) {
        if (changed != claim) {
            return;
        }
        Belief belief = changed.belief();
        switch (belief.phase()) {
            case HELD -> {
                if (belief.wanted()) {
                    changed.yield();
                } else {
                    ask();
                }
            }
            case LOST, GONE -> enter();
            case BUSY, REFUSED, FAILED -> claim = null; // the timer enters another
            default -> {}
        }
    }

    @Override
    public void reconnected() {
        ask();
    }

    private void ask() {
        long number = ++asked;
        steps.later(() -> engine.inspect(election).whenComplete((seen, error) -> steps.run(() -> saw(number, seen))));
    }

    private void saw(long number, Store.@Nullable Snapshot seen) {
        if (closed || number < answered) {
            return;
        }
        if (seen == null) {
            askAgainIn(Math.min(lease / 3, AFTER_A_FAILURE));
            return;
        }
        answered = number;
        Optional<Claim> term = Election.term(seen);
        Optional<Leader> leader = term.map(Election::leader);
        long left = term.map(held -> (held.deadline() - seen.time()) * 1000 + AFTER_THE_END)
                .orElse(Long.MAX_VALUE);
        askAgainIn(Math.min(lease / 3, left));
        if (!leader.equals(known)) {
            known = leader;
            untold.add(leader);
            tell();
        }
    }

    private void askAgainIn(long nanos) {
        engine.timers().schedule(this, engine.time().nanos() + nanos);
    }

    @Override
    public void fire(long now) {
        steps.run(() -> {
            if (closed) {
                return;
            } else if (engine.isDown()) {
                askAgainIn(AFTER_A_FAILURE); // it was paused a moment ago: the last timers fire
                return;
            }
            if (claim == null) {
                enter();
            }
            ask();
            askAgainIn(lease / 3);
        });
    }

    private void tell() {
        if (!telling) {
            telling = true;
            steps.later(() -> engine.callbacks().tell(this::tellAll));
        }
    }

    /** Tells the listener all that is untold, on a thread for notices. */
    private void tellAll() {
        for (Optional<Leader> next = next(); next != null; next = next()) {
            try {
                listener.accept(next);
            } catch (Throwable e) { // whatever it is: later changes are told all the same
                LOG.error("A listener of the election '{}' failed; it is told of later changes", election, e);
            }
        }
    }

    private @Nullable Optional<Leader> next() {
        steps.begin();
        try {
            Optional<Leader> next = closed ? null : untold.poll();
            telling = next != null;
            return next;
        } finally {
            steps.end();
        }
    }

    @Override
    public @Nullable Present present(LiveClaim observed) {
        return new Present(thread, "", observed.belief().since());
    }

    @Override
    public int localWaiters() {
        return 0;
    }

    @Override
    public boolean isWaitedFor() {
        return false;
    }

    @Override
    public void close() {
        steps.run(this::end);
    }

    private void end() {
        closed = true;
        leave();
        engine.timers().cancel(this);
    }

    private void leave() {
        LiveClaim held = claim;
        claim = null;
        if (held != null) {
            held.leave(null);
        }
    }

    @Override
    public void clientEnds() {
        steps.run(() -> {});
    }

    /** Ends with the client, and leaves the store while that is paused; while others finish their work it goes on. */
    private void settle() {
        if (closed || !engine.isDown()) {
            return;
        }
        if (engine.isOver()) {
            end();
        } else if (claim != null) {
            leave();
            askAgainIn(0); // once timers fire again
        }
    }

    @Override
    public String toString() {
        return "Observation of '" + election + "'";
    }
}
