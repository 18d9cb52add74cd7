package io.belay.camel;

import io.belay.ClientClosedException;
import io.belay.LeaderElection;
import io.belay.LeaderElection.Leader;
import io.belay.Lease;
import io.belay.StoreUnavailableException;
import io.belay.support.LogName;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
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
     * How long after a loss it is told again, and again, in seconds: Camel's master component may begin its route in the seconds
     * after a lead, whatever came meanwhile, and nothing but a loss ends that which begins behind one.
     */
    private static final int REMINDER = 3;

    /** How often: for a minute, which is longer than Camel tries by its defaults. */
    private static final int REMINDERS = 20;

    /** The time for which whoever stops the view waits for its listeners, in seconds. */
    private static final int LONGEST_STOP = 5;

    private final LeaderElection election;
    private final Member local;
    /** The name of the thread that campaigns, and no other one's: the store tells it of the leader, which may be this one. */
    private final String campaigner;

    private final ThreadPoolExecutor thread;
    /** The same thread, after the pause that follows what failed. */
    private final Executor later;
    /** The same thread, when a loss is to be told again. */
    private final Executor reminder;

    private volatile @Nullable Thread teller;

    /**
     * In place of those of the superclass, which tells nobody behind one that throws, and has a lock while it does: who adds or removes
     * one may have a lock that another waits for.
     */
    private final List<Follower> followers = new CopyOnWriteArrayList<>();

    // The rest is written on that thread alone.
    private volatile @Nullable Lease lease;
    private volatile Optional<CamelClusterMember> remote = Optional.empty();
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

    /** A listener. */
    private static final class Follower {
        final CamelClusterEventListener listener;
        /** Who led when it was told last, on the view's thread. */
        Optional<CamelClusterMember> told = Optional.empty();

        Follower(CamelClusterEventListener listener) {
            this.listener = listener;
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
        reminder = CompletableFuture.delayedExecutor(REMINDER, TimeUnit.SECONDS, thread);
    }

    private boolean leads() {
        Lease held = lease;
        return held != null && held.isHeld();
    }

    @Override
    public Optional<CamelClusterMember> getLeader() {
        return leads() ? Optional.of(local) : remote;
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

    /** Tells whether the context is being stopped: Camel then has a lock for which a listener would wait that begins a route. */
    private boolean isEnding() {
        CamelContext context = getCamelContext();
        return context != null && context.isStopping();
    }

    private void campaign() {
        if (running && campaign == null && lease == null && !isEnding()) {
            CompletableFuture<Lease> next = begun();
            campaign = next;
            var unused = next.whenComplete((won, failure) -> thread.execute(() -> decided(next, won, failure)));
        }
    }

    /** Begins a campaign; what that throws is a failure like others, or nobody would begin the next one. */
    private CompletableFuture<Lease> begun() {
        try {
            return election.campaignAsync();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void decided(CompletableFuture<Lease> decided, @Nullable Lease won, @Nullable Throwable failure) {
        if (campaign != decided || isEnding()) { // stopped meanwhile, or about to be: none follows
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
            reminder.execute(() -> remind(term, REMINDERS));
        }
    }

    /** Tells of a loss again, and so on as often as that or until another term has come. */
    private void remind(Lease term, int left) {
        if (last == term && left > 0) {
            tell(followers, true);
            reminder.execute(() -> remind(term, left - 1));
        }
    }

    private void tell() {
        tell(followers, false);
    }

    /** Tells listeners who leads, if that is another one than they were told last, or {@code again}. */
    private void tell(List<Follower> some, boolean again) {
        Optional<CamelClusterMember> leader = getLeader();
        boolean here = leader.filter(CamelClusterMember::isLocal).isPresent();
        for (Follower one : some) {
            boolean due = (again || !leader.equals(one.told)) && !(here && isEnding());
            if (due && followers.contains(one)) { // else it was removed meanwhile
                one.told = leader;
                if (one.listener instanceof CamelClusterEventListener.Leadership listener) {
                    told(() -> listener.leadershipChanged(this, leader.orElse(null)));
                }
            }
        }
        // Nobody tells when a lease is sure again that was not, as after a suspension of the machine.
        if (lease != null && !here) {
            later.execute(() -> tell(some, false));
        }
    }

    private void told(Runnable what) {
        try {
            what.run();
        } catch (Throwable e) { // of whatever kind: what follows goes on
            LOG.error("A listener to who leads '{}' failed", election.name(), e);
        }
    }

    /** Adds a listener, which is told who leads, if anybody does, as of a change. */
    @Override
    public void addEventListener(CamelClusterEventListener listener) {
        Follower came = new Follower(listener);
        followers.add(came);
        thread.execute(() -> {
            tell(List.of(came), false);
            if (listener instanceof CamelClusterEventListener.Membership members) {
                told(() -> getMembers().forEach(member -> members.memberAdded(this, member)));
            }
        });
    }

    /** Removes a listener, which may be told something at this moment, and is told nothing more. */
    @Override
    public void removeEventListener(CamelClusterEventListener listener) {
        followers.removeIf(one -> one.listener == listener);
    }

    /**
     * Ends the campaign or the term; the listeners that are still there have been told before another leads. Blocks until that is
     * done, unless a listener calls it, and not for long: Camel holds a lock meanwhile, for which a listener may wait that asks who
     * leads.
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
        last = null;
        remote = Optional.empty();
        tell();
        if (held != null) {
            held.release();
        }
    }
}
