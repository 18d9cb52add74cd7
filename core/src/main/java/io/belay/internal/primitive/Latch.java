package io.belay.internal.primitive;

import io.belay.DistributedCountDownLatch;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.StoreUnavailableException;
import io.belay.internal.gate.Gates;
import io.belay.internal.gate.Hold;
import io.belay.internal.gate.Messages;
import io.belay.internal.machine.InFlight;
import io.belay.internal.time.Threads;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.support.NameRules;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The latch that users see. A closed one is a single claim that belongs to no client, so that it outlives them all;
 * its weight is {@link #OPEN} and the count. A waiter enters a claim of the rest of the capacity, which is granted
 * when the latch's claim is gone, and leaves at once.
 *
 * <p><b>Counting.</b> A count-down changes the weight, or at zero ends the claim. Two count-downs at a time could not
 * tell whose change was made, as an answer shows only that one was. So they take turns, by a lock: a change that is
 * found while the lock is held was made by its holder. If the lease was lost, or no answer came, the outcome is
 * unclear; a late copy of the request does no harm, since it names the number of changes that its sender has seen.
 */
public final class Latch extends Primitive implements DistributedCountDownLatch {
    /** The weight of a wait, for which a latch without any count leaves room. */
    private static final int WAIT = MAX_COUNT;

    private static final int OPEN = Resource.WHOLE - WAIT;

    /** A hundred years, in microseconds, as a store keeps only claims with a deadline. */
    private static final long FOR_EVER = TimeUnit.DAYS.toMicros(36_500);

    /** The longest time that others wait for a count-down whose process died while making it. */
    private static final Duration TURN = Duration.ofSeconds(5);

    /**
     * The number of request timeouts that a wait for a turn takes at a time. A client that gives up and comes again has lost its
     * place, and the last quarter is for asking the store whether others have the turn, or it has gone silent.
     */
    private static final int PATIENCE = 4;

    private final Lock waits;
    private final Lock turns;

    /** Makes one whose waits have such options. */
    public Latch(Gates gates, String name, LockOptions waiting) {
        super(DistributedCountDownLatch.class, gates, name);
        waits = Lock.shared(gates, name, Resource.WHOLE, WAIT, waiting).patient(null);
        // No longer than other leases, which a store may limit.
        Duration turn = TURN.compareTo(waiting.lease()) < 0 ? TURN : waiting.lease();
        turns = Lock.ending(gates, NameRules.hidden(name, "count"), waiting.withLease(turn));
    }

    @Override
    public boolean trySetCount(int count) {
        if (count < 1 || count > MAX_COUNT) {
            throw new IllegalArgumentException(
                    "The latch '" + name + "' cannot have the count " + count + "; give it 1 to " + MAX_COUNT);
        }
        checkOpen();
        long end = engine.time.nanos() + engine.requestTimeout();
        while (true) {
            Answer answer = send(setting(count), "Setting the latch '" + name + "'");
            if (answer.state() == Answer.State.GRANTED) {
                return true;
            } else if (answer.state() == Answer.State.REFUSED) {
                throw Messages.refusal(name, answer.refusal());
            }
            List<Claim> others = holders(look("Reading the latch"))
                    .filter(claim -> claim.weight() != WAIT)
                    .toList();
            if (others.stream().anyMatch(claim -> claim.id().client() == ClaimId.NOBODY)) {
                return false;
            } else if (!others.isEmpty() || engine.time.nanos() - end > 0) {
                String by =
                        "by many who wait for it again and again for a short time, or by somebody who waited for it and"
                                + " has died; then it can be set when that wait's lease ends";
                throw new LockRefusedException(
                        "The latch '" + name + "' cannot be set: its name is in use "
                                + (others.isEmpty() ? by : "as something else"),
                        null);
            }
            // Those who were let through are leaving. An interrupted thread waits as long for that as any other.
            engine.await(new CompletableFuture<>(), ThreadLocalRandom.current().nextLong(100_000, 2_000_000));
        }
    }

    private Request setting(int count) {
        return Request.Enter.of(
                name,
                ClaimId.of(ClaimId.NOBODY, ThreadLocalRandom.current().nextLong()),
                ClaimSpec.of(Resource.WHOLE, OPEN + count, FOR_EVER)
                        .withFixedLease(FOR_EVER)
                        .withIfFree(true),
                0,
                engine.owner(Threads.name(Thread.currentThread()), ""));
    }

    @Override
    public long countDown() {
        checkOpen();
        Lease turn = undone(this::turn);
        try {
            Optional<Claim> set = undone(this::set);
            if (set.isEmpty()) {
                return 0;
            }
            int left = set.get().weight() - OPEN - 1;
            change(set.get(), left, turn);
            return left;
        } finally {
            ((Hold) turn).discard();
        }
    }

    /** Takes a step that comes before the change: if it fails, nothing was changed. */
    private <T> T undone(Supplier<T> step) {
        try {
            return step.get();
        } catch (StoreUnavailableException e) {
            throw new StoreUnavailableException(
                    "Counting down the latch '" + name + "' failed and was not done: " + e.getMessage(), e);
        }
    }

    /** Waits for the turn, however many others come first: only a store that does not answer ends the wait. */
    Lease turn() {
        Lease turn = null;
        while (turn == null) {
            turn = turns.start(false, PATIENCE * engine.requestTimeout(), Hold::awaitUninterruptibly);
        }
        return turn;
    }

    /** Makes the leave; as an enter of the claim may be late, or sent twice, the store refuses the id for a while. */
    private Request end(Claim set) {
        return Request.Leave.of(name, set.id(), true);
    }

    private void change(Claim set, int left, Lease turn) {
        Request lighter = Request.Reweight.of(name, set.id(), set.sequence(), set.reweights(), set.weight() - 1);
        Request request = left == 0 ? end(set) : lighter;
        String what = "Counting down the latch '" + name + "', which may or may not have been done,";
        engine.awaitTwice(() -> engine.send(request), what); // that it was done before changes nothing
        if (!((Hold) turn).isHeldForSure()) {
            throw new StoreUnavailableException(what + " failed: the answer came too late to tell", null);
        }
    }

    @Override
    public long getCount() {
        checkOpen();
        return set().map(claim -> claim.weight() - OPEN).orElse(0);
    }

    private Optional<Claim> set() {
        return holders(look("Reading the latch"))
                .filter(claim -> claim.id().client() == ClaimId.NOBODY)
                .findFirst();
    }

    @Override
    public void await() throws InterruptedException {
        ((Hold) waits.acquire()).releasePromptly(engine.requestTimeout());
    }

    @Override
    public boolean await(Duration wait) throws InterruptedException {
        Objects.requireNonNull(wait, "wait");
        Lock.checkInterrupt();
        if (wait.isZero()) {
            // A wait that is begun again and again would be in the way of those who set the count.
            return getCount() == 0;
        }
        long begun = engine.time.nanos();
        Optional<Lease> passed = waits.tryAcquire(wait);
        // Who was let through is kept for no longer than any wait that is over; what it does not wait for follows
        // behind it.
        long left = Math.max(Lock.nanos("wait", wait) - (engine.time.nanos() - begun), InFlight.SLOW);
        passed.ifPresent(lease -> ((Hold) lease).releasePromptly(Math.min(left, engine.requestTimeout())));
        return passed.isPresent();
    }

    @Override
    public CompletableFuture<Void> awaitAsync() {
        CompletableFuture<Lease> waiting = waits.acquireAsync();
        CompletableFuture<Void> passed = new CompletableFuture<>();
        waiting.whenComplete((lease, error) -> {
            try {
                if (error == null) {
                    lease.releaseAsync().whenComplete((outcome, failure) -> passed.complete(null));
                } else {
                    passed.completeExceptionally(error);
                }
            } catch (Error e) { // as no memory is left; the place is given back a moment later
                passed.completeExceptionally(e);
            }
        });
        passed.whenComplete((nothing, error) -> waiting.cancel(false)); // nothing happens to one that is done
        return passed;
    }

    @Override
    public boolean delete() {
        checkOpen();
        String what = "Deleting the latch '" + name + "'";
        return set().filter(it -> send(end(it), what).state() == Answer.State.LEFT)
                .isPresent();
    }

    private void checkOpen() {
        engine.checkUp("The latch '" + name + "' cannot be used: ");
        checkSharing();
    }
}
