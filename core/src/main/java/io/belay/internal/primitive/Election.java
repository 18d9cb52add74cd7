package io.belay.internal.primitive;

import io.belay.LeaderElection;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.internal.claim.Shown;
import io.belay.internal.gate.Gates;
import io.belay.internal.gate.Hold;
import io.belay.internal.machine.Machine;
import io.belay.internal.time.Threads;
import io.belay.internal.time.Workers;
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
    private static final String LATE = "Observers of an election could not be told; they ask from time to time";

    /** The lease of an announcement, in microseconds: it keeps observers off no longer if its process dies. */
    private static final long ANNOUNCEMENT = 1_000_000;

    private final Lock lock;
    private final String observers;

    public Election(Gates gates, String name, LockOptions options) {
        super(LeaderElection.class, gates, name);
        lock = Lock.exclusive(gates, name, options.withStrictOrder(true)).patient();
        observers = NameRules.hidden(name, "observers");
    }

    @Override
    public Lease campaign() throws InterruptedException {
        Lock.checkInterrupt();
        return begun(false, Long.MAX_VALUE, Hold::await).orElseThrow();
    }

    @Override
    public Optional<Lease> tryCampaign() {
        return begun(true, engine.requestTimeout(), Hold::awaitUninterruptibly);
    }

    @Override
    public Optional<Lease> tryCampaign(Duration wait) throws InterruptedException {
        long nanos = Lock.nanos("wait", wait);
        Lock.checkInterrupt();
        return begun(false, nanos, Hold::await);
    }

    @Override
    public CompletableFuture<Lease> campaignAsync() {
        CompletableFuture<Lease> elected = new CompletableFuture<>();
        // Not by a dependent: the caller's, which may take all of the term, would come before.
        Hold.Completion<Lease> told = new Hold.Completion<>(elected, lease -> announced(heard(lease.orElseThrow())));
        Hold term = lock.enter(false, Long.MAX_VALUE, (gate, ask) -> new LeaderLease(gate, ask, told, this::announce));
        term.gate.follow(term, elected);
        return elected;
    }

    private <E extends Exception> Optional<Lease> begun(boolean ifFree, long wait, Lock.Waiting<E> waiting) throws E {
        Hold term = lock.enter(ifFree, wait, (gate, asks) -> new LeaderLease(gate, asks, null, this::announce));
        if (!waiting.end(term)) {
            return Optional.empty();
        }
        Workers.perform(() -> heard(term), LATE);
        return Optional.of(announced(term));
    }

    /** Has observers told of the loss of a term. */
    private Lease heard(Lease term) {
        return term.onLost(loss -> announce());
    }

    /** Tells observers of a term that begins. */
    private Lease announced(Lease term) {
        Workers.perform(this::announce, LATE);
        return term;
    }

    /** Tells observers that there is something new. The announcement may be lost: observers ask from time to time. */
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
