package io.belay.spring;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.ClientClosedException;
import io.belay.DistributedLock;
import io.belay.ForwardingLease;
import io.belay.LeaderElection;
import io.belay.Lease;
import io.belay.ReleaseOutcome;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.ClassUtils;

/**
 * The elections in which this process is a candidate, from each start of the application to its stop. No thread waits: the
 * store tells who leads. Thread-safe.
 */
final class Leaderships implements SmartLifecycle, DisposableBean, BeanFactoryAware {
    /** The pause before the next campaign after one that failed, in milliseconds. */
    private static final long AFTER_FAILURE = 1_000;

    private static final Log LOG = Log.of(LogName.SPRING);

    /** Goes on after the pause before the next attempt to start a thread. */
    private static final Executor AGAIN = CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS, Runnable::run);

    /**
     * An election, as an annotation names it.
     *
     * @param belay the name of the client's bean; empty where there is one
     * @param name the election's name
     */
    record Key(String belay, String name) {}

    /**
     * Those of all contexts of this process, by the election's lock, which is the same by whatever view of a client: contexts share
     * a candidate, as a second one of the same client would wait for the first. Each goes with the last of its contexts.
     */
    static final ConcurrentHashMap<DistributedLock, Candidacy> CANDIDACIES = new ConcurrentHashMap<>();

    /** The elections that were entered, each with what says that it cannot be, and why. */
    private final ConcurrentHashMap<Key, Function<String, IllegalStateException>> entered = new ConcurrentHashMap<>();
    /** Those of this context, by all keys that lead to them. */
    private final ConcurrentHashMap<Key, Candidacy> byKey = new ConcurrentHashMap<>();

    private @Nullable ConfigurableBeanFactory beans;
    private volatile boolean running;

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        beans = (ConfigurableBeanFactory) beanFactory;
    }

    /**
     * Enters an election, now or at the start.
     *
     * @param refusal what is thrown where its name or its client cannot be, made of why
     */
    void add(Key key, Function<String, IllegalStateException> refusal) {
        entered.putIfAbsent(key, refusal);
        if (running) {
            try {
                begin(key, refusal);
            } catch (RuntimeException e) {
                entered.remove(key, refusal); // or it would fail the next start, too
                throw e;
            }
        }
    }

    private void begin(Key key, Function<String, IllegalStateException> refusal) {
        try {
            begin(key);
        } catch (IllegalArgumentException e) {
            throw refusal.apply(String.valueOf(e.getMessage()));
        }
    }

    private void begin(Key key) {
        AGAIN.execute(() -> {}); // while there is a thread for it
        Belay client = client(key);
        if (LockedMethod.isMock(client)) {
            LOG.warn("Nobody stands for '{}': {}", key.name(), LockedMethod.mock(client));
            return;
        }
        Candidacy own = new Candidacy(
                client.election(key.name()), client.lockDefaults().lease().toNanos());
        Candidacy candidacy = CANDIDACIES.compute(client.lock(key.name()), (lock, known) -> {
            Candidacy its = known == null ? own : known;
            its.contexts.add(this);
            return its;
        });
        byKey.put(key, candidacy);
        if (candidacy == own) {
            own.begin();
        }
        if (!running) {
            var unused = leave(); // it was stopped meanwhile
        }
    }

    /** Ends those candidacies that no other context shares; returns what is done when each has given its lead back. */
    private CompletableFuture<Void> leave() {
        byKey.clear();
        List<Candidacy> ended = new ArrayList<>();
        CANDIDACIES
                .keySet()
                .forEach(lock -> CANDIDACIES.computeIfPresent(lock, (its, candidacy) -> {
                    boolean last = candidacy.contexts.remove(this) && candidacy.contexts.isEmpty();
                    if (last) {
                        ended.add(candidacy);
                    }
                    return last ? null : candidacy;
                }));
        // All at once: while the store is away each takes as long as its answer may.
        return CompletableFuture.allOf(ended.stream().map(Candidacy::end).toArray(CompletableFuture<?>[]::new));
    }

    /** Returns the lease of this process while it leads. */
    Optional<Lease> lease(Key key) {
        Candidacy candidacy = byKey.get(key);
        Lease lease = candidacy == null ? null : candidacy.lease.get();
        return Optional.ofNullable(lease).filter(Lease::isHeld);
    }

    /** Notes that a call was skipped, as this process does not lead: if it does soon, perhaps nobody did. */
    void skipped(Key key, Method method) {
        Candidacy candidacy = byKey.get(key);
        if (candidacy != null) {
            candidacy.skipped.put(method, System.nanoTime());
            if (lease(key).isPresent()) { // by now
                candidacy.tellOfSkipped();
            }
        }
    }

    /** Returns who leads, as the end of a sentence. */
    String leader(Key key) {
        Belay client = client(key);
        if (LockedMethod.isMock(client)) {
            return ": " + LockedMethod.mock(client);
        }
        try {
            return client.admin().inspect(key.name()).claims().stream()
                    .filter(claim -> claim.place() == 0)
                    .findFirst()
                    .map(leader -> leader.own()
                            ? "; the lock of that name is this very client's: its term is about to begin or has just ended,"
                                    + " or the application took the lock by other means"
                            : ", but " + leader.client() + "@" + leader.host() + ":" + leader.process())
                    .orElse("; nobody does at this moment");
        } catch (BelayException e) {
            return "";
        }
    }

    private Belay client(Key key) {
        return LockedMethod.belay(Objects.requireNonNull(beans), key.belay());
    }

    @Override
    public void start() {
        running = true;
        entered.forEach(this::begin);
    }

    @Override
    public void stop() {
        running = false;
        leave().join();
    }

    /** Stops: the first versions of Spring 7 stop nothing where a context fails late in its refresh. */
    @Override
    public void destroy() {
        stop();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Returns one of the last phases to start and the first to stop, so that the next leader comes before this one closes. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE - 1000;
    }

    /** Runs the work on a thread of its own: an application may keep the common pool busy. */
    static void onThread(Runnable work) {
        onThread(work, task -> new Thread(task, "belay-spring"));
    }

    static void onThread(Runnable work, ThreadFactory threads) {
        try {
            Thread thread = threads.newThread(work);
            thread.setDaemon(true);
            thread.start();
        } catch (Throwable e) { // the machine has none left: once it has
            AGAIN.execute(() -> onThread(work, threads));
        }
    }

    /** A candidacy that goes on with the next term after each, until it ends for good: what comes to it late begins nothing. */
    private static final class Candidacy {
        private final LeaderElection election;
        /** Those that have entered it; changed where it is looked up. */
        private final Set<Leaderships> contexts = ConcurrentHashMap.newKeySet();
        /** The instants at which calls were skipped last, in nanoseconds. */
        private final Map<Method, Long> skipped = new ConcurrentHashMap<>();
        /** The time for which nobody may have led before, as the lease of a leader that died goes on; in nanoseconds. */
        private final long gap;

        private final AtomicReference<@Nullable Lease> lease = new AtomicReference<>();
        private volatile @Nullable CompletableFuture<Lease> waiting;
        private volatile boolean failing;
        private volatile boolean over;

        Candidacy(LeaderElection election, long gap) {
            this.election = election;
            this.gap = gap;
        }

        void begin() {
            CompletableFuture<Lease> campaign = campaign();
            waiting = campaign;
            var unused = campaign.whenComplete((won, failure) -> {
                if (won != null) {
                    lead(new Term(won));
                } else if (!over && failure instanceof ClientClosedException) {
                    over = true;
                    LOG.warn("The client is closed: this process does not stand for '{}' any more", election.name());
                } else if (!over) {
                    CompletableFuture.delayedExecutor(AFTER_FAILURE, TimeUnit.MILLISECONDS, Leaderships::onThread)
                            .execute(this::again);
                    tellOf(failure);
                }
            });
            if (over) {
                campaign.cancel(true);
            }
        }

        /** Campaigns; what that throws is a failure like others, or nobody would begin the next campaign. */
        private CompletableFuture<Lease> campaign() {
            try {
                return election.campaignAsync();
            } catch (Throwable e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        private void tellOf(Throwable failure) {
            if (!failing) {
                failing = true;
                LOG.warn(
                        "The campaign for '{}' failed; the next one begins in a second, and so on",
                        election.name(),
                        failure);
            }
        }

        private void lead(Term won) {
            lease.set(won);
            won.onLost(loss -> ended(won)); // first: it is not to end unheard, whatever becomes of what follows
            failing = false;
            if (over) {
                var unused = end();
            }
            tellOfSkipped();
        }

        private void tellOfSkipped() {
            long now = System.nanoTime();
            for (Method method : skipped.keySet()) {
                Long at = skipped.remove(method);
                if (at != null && now - at < gap) {
                    LOG.info(
                            "{} was skipped {} ms before this process began to lead '{}': if nobody led then, the call"
                                    + " was made nowhere",
                            ClassUtils.getQualifiedMethodName(method),
                            TimeUnit.NANOSECONDS.toMillis(now - at),
                            election.name());
                }
            }
        }

        private void ended(Lease term) {
            if (lease.compareAndSet(term, null)) {
                again();
            }
        }

        private void again() {
            if (!over) {
                begin();
            }
        }

        /** Ends it for good; returns what is done when the lead is given back. */
        CompletableFuture<Void> end() {
            over = true;
            CompletableFuture<Lease> campaign = waiting;
            if (campaign != null) {
                campaign.cancel(true);
            }
            Lease held = lease.getAndSet(null);
            return held == null
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.runAsync(held::release, Leaderships::onThread);
        }

        /** The lease of a term. Whoever has it by {@link CurrentLease} may give it back: the next campaign begins then, too. */
        private final class Term extends ForwardingLease {
            Term(Lease lease) {
                super(lease);
            }

            @Override
            public ReleaseOutcome release() {
                try {
                    return super.release();
                } finally {
                    ended(this);
                }
            }

            @Override
            public CompletableFuture<ReleaseOutcome> releaseAsync() {
                return super.releaseAsync().whenComplete((outcome, failure) -> ended(this));
            }

            @Override
            public ReleaseOutcome releaseAfter(Duration delay) {
                ReleaseOutcome outcome = super.releaseAfter(delay); // which may be refused
                ended(this);
                return outcome;
            }

            @Override
            public void close() {
                try {
                    super.close();
                } finally {
                    ended(this);
                }
            }
        }
    }
}
