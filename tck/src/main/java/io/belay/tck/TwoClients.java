package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two clients of a store, and what tests do with them. */
abstract class TwoClients extends OneStore {
    /** The number of questions of each client before a wait counts as going on. */
    private static final int ROUND_TRIPS = 3;

    static final Duration A_WHILE = Pace.HERE.requestTimeout().dividedBy(5);

    /** Where there is no queue, a time in which a client that waits asks several times. */
    private static final Duration SOME_ROUNDS = Duration.ofMillis(100);

    private static final String NOBODYS = "nobody's";

    Belay a;
    Belay b;

    @Override
    void ask() {
        a.admin().inspect(NOBODYS);
    }

    @BeforeEach
    void connect() {
        a = connect("a");
        b = connect("b");
        premise.begins();
    }

    @AfterEach
    void close() {
        try (StoreSpec opened = spec;
                Premise taken = premise;
                Belay first = a;
                Belay second = b) {
            Thread.interrupted();
        }
    }

    /** Connects a client; when it returns, the client has had an answer, and its classes are loaded. */
    Belay connect(String name) {
        BelayOptions options = BelayOptions.defaults()
                .withClientName(name)
                .withLockDefaults(options())
                .withRequestTimeout(Pace.HERE.requestTimeout());
        Belay client = answered(() -> spec.connect(options));
        awaitAnswer(client);
        return client;
    }

    void awaitAnswer(Belay client) {
        eventually()
                .ignoreExceptions()
                .until(() -> client.admin().inspect(NOBODYS).claims().isEmpty());
    }

    /** The options of a lock, as far as the store has such. */
    LockOptions options() {
        return LockOptions.defaults().withLease(lease(LockOptions.defaults().lease()));
    }

    /** The same with a brief lease, which a test waits for the end of. */
    LockOptions brief() {
        return options().withLease(premise.lease());
    }

    /** A lease so long, or the longest that the store has. */
    Duration lease(Duration wanted) {
        return wanted.compareTo(spec.longestLease()) < 0 ? wanted : spec.longestLease();
    }

    void assumeLeasePerClaim() {
        assumeTrue(spec.leasePerClaim(), "the store has no leases of a claim's own");
    }

    void assumeClaimsExpire() {
        assumeTrue(spec.claimsExpire(), "the store keeps claims as long as their client");
    }

    /** Waits for a lock that is taken, for as long as a store on this machine should take to say so. */
    Optional<Lease> waitInVain(DistributedLock lock) {
        return answered(() -> lock.tryAcquire(A_WHILE));
    }

    /** Asks again while the store does not answer in time, which lets nobody in. */
    <T> T answered(Callable<T> question) {
        AtomicReference<T> answer = new AtomicReference<>();
        eventually().until(() -> {
            answer.set(question.call());
            return true;
        });
        return answer.get();
    }

    private static boolean isUnanswered(Throwable e) {
        return e instanceof StoreUnavailableException || e.getCause() instanceof StoreUnavailableException;
    }

    long soon() {
        return spec.patience().toSeconds();
    }

    Lease soon(CompletableFuture<Lease> future) throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(soon(), TimeUnit.SECONDS);
    }

    /** Waits for what is to happen at once. A store that does not answer in time is asked again. */
    ConditionFactory eventually() {
        return await().atMost(spec.patience())
                .pollInterval(Duration.ofMillis(5))
                .ignoreExceptionsMatching(TwoClients::isUnanswered);
    }

    /** Asserts that somebody still waits, once both clients have heard from the store again. */
    void staysUndone(CompletableFuture<?> future) throws InterruptedException {
        hear();
        assertThat(future).isNotDone();
    }

    /** Lets each client hear from the store again: what it was told before it has been told by then. */
    void hear() throws InterruptedException {
        for (int i = 0; i < ROUND_TRIPS; i++) {
            a.admin().inspect(NOBODYS);
            b.admin().inspect(NOBODYS);
        }
        if (!spec.queues()) {
            Thread.sleep(SOME_ROUNDS.toMillis());
        }
    }

    /** Asks for a lock that is taken, and returns when the wait is known to the store, or over. */
    CompletableFuture<Lease> queued(DistributedLock lock) throws InterruptedException {
        int before = a.admin().inspect(lock.name()).claims().size();
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        if (spec.queues()) {
            eventually()
                    .until(() -> waiting.isDone()
                            || a.admin().inspect(lock.name()).claims().size() > before);
        } else if (!waiting.isDone()) {
            Thread.sleep(SOME_ROUNDS.toMillis());
        }
        return waiting;
    }

    /** Waits until so many claims hold the lock or wait for it. A look may be old: another member answers it. */
    void awaitClaims(String name, int number) {
        eventually()
                .untilAsserted(() -> assertThat(b.admin().inspect(name).claims())
                        .as("claims of '%s'", name)
                        .hasSize(number));
    }

    static CompletableFuture<LeaseLostException> loss(Lease lease) {
        CompletableFuture<LeaseLostException> told = new CompletableFuture<>();
        lease.onLost(told::complete);
        return told;
    }

    /** Runs all at once, each on a thread of its own, which may take a slow store on a busy machine some time. */
    void together(List<Callable<Void>> all) throws InterruptedException, ExecutionException, TimeoutException {
        ExecutorService pool = Executors.newCachedThreadPool();
        try {
            for (Future<Void> one : all.stream().map(pool::submit).toList()) {
                one.get(5 * soon(), TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    /** Says that what was held was given back, as far as the store has said so in time. */
    void isGivenBack(ReleaseOutcome outcome) {
        isGivenBack(outcome, premise.begun());
    }

    private void isGivenBack(ReleaseOutcome outcome, long called) {
        boolean unanswered = outcome == ReleaseOutcome.UNKNOWN && premise.mayBeLate(called);
        premise.happens(!unanswered, "the store answers a release");
        assertThat(outcome).as("what became of what was held").isEqualTo(ReleaseOutcome.RELEASED);
    }

    void giveBack(Lease lease) {
        long called = System.nanoTime();
        long left = lease.remaining().toNanos();
        ReleaseOutcome outcome = lease.release();
        // The store may have come to it when the lease was over: a grant is for two seconds until its owner asks.
        boolean over = System.nanoTime() - called >= left && premise.mayBeOver(premise.begun());
        premise.holds(outcome != ReleaseOutcome.ALREADY_LOST || !over, "what is held is given back in time");
        isGivenBack(outcome, called);
    }
}
