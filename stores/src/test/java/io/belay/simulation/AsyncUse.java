package io.belay.simulation;

import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A wait by a future, which may be cancelled. */
final class AsyncUse {
    /** For how long what was cancelled may be about to leave, beside an answer: it may be kept for the next one to try. */
    private static final long LEAVING = 200_000_000;

    private final User user;
    private final World world;
    private final Thing thing;
    private final int variant;
    private final DistributedLock lock;
    private final int weight;
    private final Actor waiter;

    private boolean told;

    private @Nullable Grip grip;

    AsyncUse(User user, Thing thing, int variant, DistributedLock lock, int weight) {
        this.user = user;
        world = user.world;
        this.thing = thing;
        this.variant = variant;
        this.lock = lock;
        this.weight = weight;
        waiter = world.scheduler.current();
    }

    void run() {
        Dice dice = user.dice;
        boolean whole = weight == Resource.WHOLE;
        String kind = weight == 1 ? "asynchronous read " : "asynchronous ";
        Attempt attempt;
        CompletableFuture<Optional<Lease>> future;
        CompletableFuture<?> asked;
        if (world.has(Use.TRIES) && dice.onceIn(3)) {
            attempt = world.ledger
                    .begin(user.site, thing, variant, kind + "try", whole)
                    .within(0);
            future = lock.tryAcquireAsync();
            asked = future;
        } else if (world.has(Use.TIMED_WAITS) && dice.onceIn(2)) {
            Duration wait = Duration.ofNanos(dice.magnitude(100_000, 3_000_000_000L));
            attempt = world.ledger
                    .begin(user.site, thing, variant, kind + "wait of " + wait.toMillis() + " ms", whole)
                    .within(wait.toNanos());
            future = lock.tryAcquireAsync(wait);
            asked = future;
        } else {
            attempt = world.ledger.begin(user.site, thing, variant, kind + "wait", whole);
            CompletableFuture<Lease> acquired = lock.acquireAsync();
            future = acquired.thenApply(Optional::of);
            asked = acquired;
        }
        attempt.weight = weight;
        future.whenComplete((lease, error) -> tell(attempt, lease, error));
        if (world.has(Fault.CANCELS) && dice.onceIn(2)) {
            world.scheduler.sleep(dice.magnitude(1_000, 1_000_000_000));
            if (asked.cancel(true)) {
                world.ledger.end(attempt, "is cancelled");
                if (dice.onceIn(4)) {
                    world.scheduler.sleep(LEAVING + world.longestAnswer);
                    world.ledger.gaveUp(attempt, "was cancelled");
                }
                return;
            }
        }
        while (!told) {
            world.scheduler.block(this);
        }
        if (grip != null) {
            user.use(grip);
        }
    }

    private void tell(Attempt attempt, @Nullable Optional<Lease> lease, @Nullable Throwable error) {
        if (lease != null && lease.isPresent()) {
            grip = world.ledger.got(attempt, lease.get(), weight);
        } else if (lease != null) {
            user.notHad(attempt);
        } else if (!(error instanceof java.util.concurrent.CancellationException)
                && !(error instanceof CompletionException
                        && error.getCause() instanceof java.util.concurrent.CancellationException)) {
            user.failed(attempt, error instanceof CompletionException ? error.getCause() : error);
        }
        told = true;
        world.scheduler.unblock(this);
        if (waiter.machine.dead) {
            return;
        }
        world.userCode();
    }
}
