package io.belay.internal.primitive;

import io.belay.LeaderElection;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.internal.claim.Shown;
import io.belay.internal.gate.Gates;
import io.belay.internal.machine.Machine;
import io.belay.internal.time.Threads;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.support.NameRules;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The election that users see: a lock in strict order, so that every term is a claim of its own and its token can be
 * read off the store.
 *
 * <p><b>How observers hear of a change.</b> Observers hold a part of a second resource, as sticky claims: a store tells the owners
 * of such claims when somebody wants what they hold. Whoever begins or ends a term asks for all of that resource, without waiting
 * for it. Where nobody observes, the resource is granted, and left at once.
 */
public final class Election extends Primitive implements LeaderElection {
    /** The lease of an announcement, in microseconds: it keeps observers off no longer if its process dies. */
    private static final long ANNOUNCEMENT = 1_000_000;

    private final Lock lock;
    private final String observers;

    public Election(Gates gates, String name, LockOptions options) {
        super(LeaderElection.class, gates, name);
        observers = NameRules.hidden(name, "observers");
        lock = Lock.exclusive(gates, name, options.withStrictOrder(true)).patient(this::announce);
    }

    @Override
    public Lease campaign() throws InterruptedException {
        return lock.acquire();
    }

    @Override
    public Optional<Lease> tryCampaign() {
        return lock.tryAcquire();
    }

    @Override
    public Optional<Lease> tryCampaign(Duration wait) throws InterruptedException {
        return lock.tryAcquire(wait);
    }

    @Override
    public CompletableFuture<Lease> campaignAsync() {
        return lock.acquireAsync();
    }

    /** Tells observers that a term begins, or is over. The announcement may be lost: observers ask from time to time. */
    private void announce() {
        if (engine.isDown()) {
            return;
        }
        ClaimId id = engine.nextClaimId();
        Owner owner = engine.owner(Threads.name(Thread.currentThread()), "");
        ClaimSpec all = ClaimSpec.whole(ANNOUNCEMENT).withIfFree(true);
        engine.sendOwn(id, Request.Enter.of(observers, id, all, 0, owner)).whenComplete((answer, error) -> {
            if (error != null) {
                engine.leaveLater(observers, id, true, ANNOUNCEMENT * 1000);
            } else if (answer.state() == Answer.State.GRANTED) {
                engine.leave(observers, id, false);
            }
        });
    }

    @Override
    public Optional<Leader> leader() {
        checkOpen();
        return whole(look("Asking who leads")).map(Election::leader);
    }

    static Leader leader(Claim claim) {
        Owner owner = claim.owner();
        return new Shown.Leader(
                owner.client(),
                owner.host(),
                owner.process(),
                owner.thread(),
                owner.namedBehalf(),
                Machine.firstToken(claim.sequence()));
    }

    @Override
    public Observation observe(Consumer<? super Optional<Leader>> listener) {
        Objects.requireNonNull(listener, "listener");
        checkOpen();
        Observer observer = new Observer(gates, lock, observers, listener);
        observer.start();
        return observer;
    }

    private void checkOpen() {
        engine.checkUp("The election '" + name + "' cannot be looked at: ");
    }
}
