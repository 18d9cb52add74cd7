package io.belay.spring;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.LeaderElection;
import io.belay.Lease;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The elections in which this process is a candidate, from each start of the application to its stop. No thread waits: the
 * store tells who leads. Thread-safe.
 */
final class Leaderships implements SmartLifecycle, BeanFactoryAware {
    /** The pause before the next campaign after one that failed, in milliseconds. */
    private static final long AFTER_FAILURE = 1_000;

    /** Goes on after the pause before the next attempt to start a thread. */
    private static final Executor AGAIN = CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS, Runnable::run);

    /**
     * An election, as an annotation names it.
     *
     * @param belay the name of the client's bean; empty where there is one
     * @param name the election's name
     */
    record Key(String belay, String name) {}

    /** An election of a client, by whatever name that is known: a second candidate of it would wait for the first. */
    private record ClientElection(Belay client, String name) {}

    private final Set<Key> entered = ConcurrentHashMap.newKeySet();
    private final ConcurrentHashMap<ClientElection, Campaign> campaigns = new ConcurrentHashMap<>();
    /** Those that have begun, by all keys that lead to them. */
    private final ConcurrentHashMap<Key, Campaign> byKey = new ConcurrentHashMap<>();

    private @Nullable ConfigurableBeanFactory beans;
    /** Those of the context around this one. */
    private @Nullable Leaderships parent;

    private volatile boolean running;

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        beans = (ConfigurableBeanFactory) beanFactory;
        BeanFactory around = ((ConfigurableBeanFactory) beanFactory).getParentBeanFactory();
        parent = around == null
                ? null
                : around.getBeanProvider(Leaderships.class).getIfAvailable();
    }

    /** Enters an election, now or at the start. */
    void add(Key key) {
        entered.add(key);
        if (running) {
            begin(key);
        }
    }

    private void begin(Key key) {
        AGAIN.execute(() -> {}); // while there is a thread for it
        ClientElection election = new ClientElection(client(key), key.name());
        Campaign known = parent == null ? null : parent.known(election);
        Campaign campaign = known != null ? known : campaigns.computeIfAbsent(election, absent -> new Campaign(key));
        byKey.put(key, campaign);
        campaign.begin();
    }

    /** Returns the candidate that this context has already, or one around it. */
    private @Nullable Campaign known(ClientElection election) {
        Campaign own = campaigns.get(election);
        return own != null || parent == null ? own : parent.known(election);
    }

    /** Returns the lease of this process while it leads. */
    Optional<Lease> lease(Key key) {
        Campaign campaign = byKey.get(key);
        Lease lease = campaign == null ? null : campaign.lease();
        return Optional.ofNullable(lease).filter(Lease::isHeld);
    }

    /** Returns who leads, as the end of a sentence. */
    String leader(Key key) {
        try {
            return election(key)
                    .leader()
                    .map(leader -> ", but " + leader.client() + "@" + leader.host() + ":" + leader.process())
                    .orElse("; nobody does at this moment");
        } catch (BelayException e) {
            return "";
        }
    }

    private LeaderElection election(Key key) {
        return client(key).election(key.name());
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
        // All at once: while the store is away each takes as long as its answer may.
        CompletableFuture.allOf(campaigns.values().stream().map(Campaign::end).toArray(CompletableFuture<?>[]::new))
                .join();
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

    /** One election, and the candidacy for it from each start of the application to its stop. */
    private final class Campaign {
        private final Key key;
        private final AtomicReference<@Nullable Candidacy> present = new AtomicReference<>();

        Campaign(Key key) {
            this.key = key;
        }

        void begin() {
            Candidacy next = new Candidacy(key);
            if (present.compareAndSet(null, next)) {
                next.begin();
                if (!running) {
                    var unused = end(); // it was stopped meanwhile
                }
            }
        }

        @Nullable
        Lease lease() {
            Candidacy now = present.get();
            return now == null ? null : now.lease;
        }

        /** Ends the candidacy, if there is one; returns what is done when its lead is given back. */
        CompletableFuture<Void> end() {
            Candidacy last = present.getAndSet(null);
            return last == null ? CompletableFuture.completedFuture(null) : last.end();
        }
    }

    /** Runs the work on a thread of its own: an application may keep the common pool busy. */
    private static void onThread(Runnable work) {
        onThread(work, task -> new Thread(task, "belay-leaderships"));
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
    private final class Candidacy {
        private final Key key;
        private volatile @Nullable CompletableFuture<Lease> waiting;
        private volatile @Nullable Lease lease;
        private volatile boolean over;

        Candidacy(Key key) {
            this.key = key;
        }

        void begin() {
            CompletableFuture<Lease> campaign = election(key).campaignAsync();
            waiting = campaign;
            var unused = campaign.whenComplete((won, failure) -> {
                if (won != null) {
                    lead(won);
                } else if (!over) {
                    CompletableFuture.delayedExecutor(AFTER_FAILURE, TimeUnit.MILLISECONDS, Leaderships::onThread)
                            .execute(this::again);
                }
            });
            if (over) {
                campaign.cancel(true);
            }
        }

        private void lead(Lease won) {
            lease = won;
            won.onLost(loss -> again());
            if (over) {
                var unused = end();
            }
        }

        private void again() {
            lease = null;
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
            Lease held = lease;
            if (held == null) {
                return CompletableFuture.completedFuture(null);
            }
            lease = null;
            return CompletableFuture.runAsync(held::release, Leaderships::onThread);
        }
    }
}
