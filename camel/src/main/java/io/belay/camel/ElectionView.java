package io.belay.camel;

import io.belay.ClientClosedException;
import io.belay.LeaderElection;
import io.belay.LeaderElection.Leader;
import io.belay.Lease;
import io.belay.StoreUnavailableException;
import io.belay.support.LogName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.apache.camel.cluster.CamelClusterMember;
import org.apache.camel.support.cluster.AbstractCamelClusterView;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The view of one namespace: this member's campaigns, and who leads. All that happens, and all that listeners are told, happens
 * one after the other on a thread that there is from the start to the stop: later none might be had.
 */
final class ElectionView extends AbstractCamelClusterView {
    private static final Logger LOG = LoggerFactory.getLogger(LogName.LEADER.text());

    /** How much of a thread's name a store keeps, in characters. */
    private static final int LONGEST_NAME = 64;

    /**
     * When listeners are told of a loss again, in seconds: Camel's master component begins its route a second after a lead, whatever
     * came meanwhile, and a loss before that changes nothing there.
     */
    private static final List<Integer> REMINDERS = List.of(3, 30);

    /** The time for which whoever stops the view waits for its listeners, in seconds. */
    private static final int LONGEST_STOP = 5;

    private final LeaderElection election;
    private final Member local;
    /** The name of the thread that campaigns, and no other one's: the store tells it of the leader, which may be this one. */
    private final String campaigner;

    private final ThreadPoolExecutor thread;
    /** The same thread, after the pause that follows what failed. */
    private final Executor later;

    private volatile @Nullable Thread teller;

    /** Those of the superclass, which tells nobody behind one that throws. */
    private final List<CamelClusterEventListener> listeners = new CopyOnWriteArrayList<>();
    /** The listeners that came while the lease was unsure, and were told that nobody leads. */
    private final List<CamelClusterEventListener> late = new CopyOnWriteArrayList<>();
    /** Who is told of a change is not told at the same time, by another thread, who led when it came. */
    private final ReentrantLock telling = new ReentrantLock();
    /** Who led when a listener that comes was first told of it, as far as that is; under that lock. */
    private @Nullable Optional<CamelClusterMember> shown;

    // The rest is written on that thread alone.
    private volatile @Nullable Lease lease;
    private volatile Optional<CamelClusterMember> remote = Optional.empty();
    private Optional<CamelClusterMember> told = Optional.empty();
    /** The term that was lost, until another one begins. */
    private @Nullable Lease last;

    private boolean running;
    /** Whether the last campaign failed, which was told then. */
    private boolean failing;

    private @Nullable CompletableFuture<Lease> campaign;
    private LeaderElection.@Nullable Observation observation;

    /**
     * A member.
     *
     * @param view the view that it is a member of
     * @param getId its name
     * @param isLocal whether it is this process
     */
    private record Member(ElectionView view, String getId, boolean isLocal) implements CamelClusterMember {
        @Override
        public boolean isLeader() {
            return isLocal
                    ? view.leads()
                    : view.getLeader().filter(this::equals).isPresent();
        }
    }

    ElectionView(BelayClusterService service, String namespace, LeaderElection election) {
        super(service, namespace);
        this.election = election;
        local = new Member(this, "this process, " + ProcessHandle.current().pid(), true);
        String unique = "belay-camel-" + UUID.randomUUID().toString().substring(0, 8) + "-" + namespace;
        campaigner = unique.substring(0, Math.min(LONGEST_NAME, unique.length()));
        thread = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread made = new Thread(task, campaigner);
            made.setDaemon(true);
            teller = made;
            return made;
        });
        thread.allowCoreThreadTimeOut(true);
        later = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS, thread);
    }

    private boolean leads() {
        Lease held = lease;
        return held != null && held.isHeld();
    }

    @Override
    public Optional<CamelClusterMember> getLeader() {
        Optional<CamelClusterMember> leader = leads() ? Optional.of(local) : remote;
        if (telling.isHeldByCurrentThread() && shown == null) {
            shown = leader;
        }
        return leader;
    }

    @Override
    public CamelClusterMember getLocalMember() {
        return local;
    }

    @Override
    public List<CamelClusterMember> getMembers() {
        return getLeader()
                .filter(other -> !other.isLocal())
                .map(other -> List.of(local, other))
                .orElse(List.of(local));
    }

    @Override
    protected void doStart() {
        thread.allowCoreThreadTimeOut(false);
        later.execute(() -> {}); // while there is a thread for what is done later
        thread.execute(() -> {
            running = true;
            campaign();
            observe();
        });
    }

    private void observe() {
        if (running && observation == null) {
            try {
                observation = election.observe(now -> thread.execute(() -> observed(now)));
            } catch (StoreUnavailableException e) { // the client is paused, and no campaign is won either
                later.execute(this::observe);
            } catch (ClientClosedException e) {
                LOG.debug("Stopped, as the client was closed", e);
            }
        }
    }

    private void observed(Optional<Leader> now) {
        if (running) {
            remote = now.filter(leader -> !leader.thread().equals(campaigner)).map(this::member);
            tell();
        }
    }

    private CamelClusterMember member(Leader leader) {
        return new Member(this, leader.client() + "@" + leader.host() + ":" + leader.process(), false);
    }

    private void campaign() {
        if (running && campaign == null && lease == null) {
            CompletableFuture<Lease> next = election.campaignAsync();
            campaign = next;
            var unused = next.whenComplete((won, failure) -> thread.execute(() -> decided(next, won, failure)));
        }
    }

    private void decided(CompletableFuture<Lease> decided, @Nullable Lease won, @Nullable Throwable failure) {
        if (campaign != decided) { // stopped meanwhile
            if (won != null) {
                var unused = won.releaseAsync();
            }
            return;
        }
        campaign = null;
        if (won == null) {
            failed(failure);
            return;
        }
        failing = false;
        lease = won;
        last = null;
        remote = Optional.empty();
        won.onLost(loss -> thread.execute(() -> lost(won)));
        tell();
    }

    private void failed(@Nullable Throwable failure) {
        if (failure instanceof ClientClosedException) {
            return;
        }
        if (!failing) {
            failing = true;
            LOG.warn(
                    "The campaign for '{}' failed; the next one begins in a second, and so on",
                    election.name(),
                    failure);
        }
        later.execute(this::campaign);
    }

    private void lost(Lease term) {
        if (lease == term) {
            lease = null;
            last = term;
            tell();
            campaign();
            for (int seconds : REMINDERS) {
                CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS, thread)
                        .execute(() -> tellAgain(term));
            }
        }
    }

    /** Tells the listeners who leads, if that is another one than they were told last. */
    private void tell() {
        Optional<CamelClusterMember> leader = getLeader();
        if (!leader.equals(told)) {
            tell(leader);
        }
        // Nobody tells when a lease is sure again that was not, as after a suspension of the machine.
        if (lease != null && leader.filter(CamelClusterMember::isLocal).isEmpty()) {
            later.execute(this::tell);
        }
    }

    /** Tells those that came while the lease was unsure, once it is sure, unless all are to be told. */
    private void tellLate() {
        if (lease != null && !leads()) {
            later.execute(this::tellLate);
        } else if (lease != null && told.equals(Optional.of(local))) {
            tell(late, told);
        }
    }

    /** Tells of a loss again, if no other term has come. */
    private void tellAgain(Lease term) {
        if (running && last == term) {
            tell(getLeader());
        }
    }

    private void tell(Optional<CamelClusterMember> leader) {
        told = leader;
        tell(listeners, leader);
    }

    private void tell(List<CamelClusterEventListener> some, Optional<CamelClusterMember> leader) {
        telling.lock();
        try {
            List<CamelClusterEventListener> now = new ArrayList<>(some); // which may be those
            late.clear();
            now.forEach(listener -> tell(listener, leader.orElse(null)));
        } finally {
            telling.unlock();
        }
    }

    private void tell(CamelClusterEventListener listener, @Nullable CamelClusterMember leader) {
        try {
            if (listener instanceof CamelClusterEventListener.Leadership follower) {
                follower.leadershipChanged(this, leader);
            }
        } catch (Throwable e) { // of whatever kind: what follows goes on
            LOG.error("A listener to who leads '{}' failed", election.name(), e);
        }
    }

    @Override
    public void addEventListener(CamelClusterEventListener listener) {
        telling.lock();
        try {
            listeners.add(listener);
            shown = null;
            super.addEventListener(listener); // tells it who leads
            if (lease != null && !Optional.of(local).equals(shown)) {
                late.add(listener);
                thread.execute(this::tellLate);
            }
        } finally {
            telling.unlock();
        }
    }

    @Override
    public void removeEventListener(CamelClusterEventListener listener) {
        telling.lock();
        try {
            listeners.removeIf(one -> one == listener);
            late.removeIf(one -> one == listener);
            super.removeEventListener(listener);
        } finally {
            telling.unlock();
        }
    }

    /**
     * Ends the campaign or the term; the listeners have been told before another leads. Blocks until that is done, unless a
     * listener calls it, and not for long: Camel holds a lock meanwhile, for which a listener may wait that asks who leads.
     */
    @Override
    protected void doStop() {
        CompletableFuture<Void> ended = CompletableFuture.runAsync(this::end, thread);
        if (Thread.currentThread() != teller
                && !ended.thenApply(done -> true)
                        .completeOnTimeout(false, LONGEST_STOP, TimeUnit.SECONDS)
                        .join()) {
            LOG.warn(
                    "Who stopped the view of '{}' waits no longer: a listener, or the store, takes more than {} s. The lead is given"
                            + " back afterwards",
                    election.name(),
                    LONGEST_STOP);
        }
        thread.allowCoreThreadTimeOut(true);
    }

    private void end() {
        running = false;
        if (observation != null) {
            observation.close();
            observation = null;
        }
        CompletableFuture<Lease> waiting = campaign;
        campaign = null;
        if (waiting != null) {
            waiting.cancel(true);
        }
        Lease held = lease;
        lease = null;
        remote = Optional.empty();
        tell();
        if (held != null) {
            held.release();
        }
    }
}
