package io.belay.spring.integration;

import io.belay.Belay;
import io.belay.ClientClosedException;
import io.belay.LeaderElection;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.support.LogName;
import io.belay.support.Mutex;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationEventPublisherAware;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.log.LogAccessor;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.leader.event.LeaderEventPublisher;

/**
 * An initiator of one candidate's campaigns: it campaigns from its start to its stop, tells the candidate when it leads and
 * when it does so no more, and publishes {@code OnGrantedEvent} and {@code OnRevokedEvent}.
 *
 * <p>No thread waits or asks: the store tells who is next, and the client's clock tells at the lease's deadline that the
 * leader leads no longer, also while the store cannot be reached. The candidate and the listeners are told one after the
 * other on a thread that there is only meanwhile. An {@code onGranted} that blocks is interrupted at the end of its term, and so is a
 * listener of {@code OnGrantedEvent}; where that end comes before the candidate has returned, there is no such event.
 *
 * <p>A leader that stops or yields is revoked first, and gives the lead away then: the next one leads when {@code onRevoked}
 * and the listeners have returned. A context that closes waits for that for the time of its phase, or 30 seconds, and the client of
 * Spring Boot's auto-configuration for the time of its own phase again, so who ends the application while being told does so on
 * another thread, and returns. The election's name is the candidate's role, in the namespace of the client that the initiator was
 * made with.
 *
 * <p>Setters are for the time before the start. The rest is thread-safe. Does not close the client.
 */
public final class BelayLeaderInitiator implements SmartLifecycle, DisposableBean, ApplicationEventPublisherAware {
    private static final LogAccessor LOG = new LogAccessor(LogName.LEADER.text());

    /** Goes on after the pause before a candidate is campaigned for again that failed to lead, or whose campaign did. */
    private static final Executor LATER = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS, Runnable::run);

    /** The longest wait for who is told of an end: it may wait for that end itself, on whatever thread. */
    private static final Duration LONGEST_END = Duration.ofSeconds(30);

    /** The least wait of a context for whoever is just returning. */
    private static final Duration SHORTEST_END = Duration.ofSeconds(1);

    private final LeaderElection election;
    private final Candidate candidate;
    private final Duration longestEnd;
    private final Announcer announcer;
    /** When it was stopped last, as a {@link System#nanoTime()}. */
    private volatile long stopped = System.nanoTime();

    private boolean autoStartup = true;
    private int phase = Integer.MAX_VALUE - 1000;

    private final Mutex guard = new Mutex();
    // These four under the guard.
    private boolean running;
    /** Whether the last campaign failed, which was told then. */
    private boolean failing;

    private @Nullable CompletableFuture<Lease> campaign;
    private @Nullable LeaderTerm term;

    /**
     * Makes an initiator whose terms have the client's default options.
     *
     * @param belay the client, or a view of it, which has to stay open until the initiator has stopped
     * @param candidate who is told, and whose role names the election
     */
    public BelayLeaderInitiator(Belay belay, Candidate candidate) {
        this(belay, candidate, Objects.requireNonNull(belay, "belay").lockDefaults());
    }

    /**
     * Makes an initiator.
     *
     * @param belay the client, or a view of it, which has to stay open until the initiator has stopped
     * @param candidate who is told, and whose role names the election
     * @param options how long a leader leads without renewing
     */
    public BelayLeaderInitiator(Belay belay, Candidate candidate, LockOptions options) {
        this(belay, candidate, options, LONGEST_END);
    }

    BelayLeaderInitiator(Belay belay, Candidate candidate, LockOptions options, Duration longestEnd) {
        Objects.requireNonNull(belay, "belay");
        Objects.requireNonNull(candidate, "candidate");
        Objects.requireNonNull(options, "options");
        election = belay.election(candidate.getRole(), options);
        this.candidate = candidate;
        this.longestEnd = longestEnd;
        announcer = new Announcer(this, candidate);
    }

    /** Sets who publishes the events; by default the application context does. */
    public void setLeaderEventPublisher(LeaderEventPublisher leaderEventPublisher) {
        announcer.publishBy(Objects.requireNonNull(leaderEventPublisher, "leaderEventPublisher"), false);
    }

    /** Publishes the events by that publisher, unless {@link #setLeaderEventPublisher} has named another. */
    @Override
    public void setApplicationEventPublisher(ApplicationEventPublisher applicationEventPublisher) {
        Objects.requireNonNull(applicationEventPublisher, "applicationEventPublisher");
        announcer.publishBy(new DefaultLeaderEventPublisher(applicationEventPublisher), true);
    }

    /** Sets whether the application context starts the initiator; it does unless told otherwise. */
    public void setAutoStartup(boolean autoStartup) {
        this.autoStartup = autoStartup;
    }

    /** Sets the phase of the start; by default one of the last, so that a leader is stopped among the first. */
    public void setPhase(int phase) {
        this.phase = phase;
    }

    @Override
    public boolean isAutoStartup() {
        return autoStartup;
    }

    @Override
    public int getPhase() {
        return phase;
    }

    /** Returns the term of this candidate if it leads, as far as the client has noticed. */
    public Optional<LeaderTerm> getTerm() {
        try (var held = guard.hold()) {
            return Optional.ofNullable(term);
        }
    }

    @Override
    public boolean isRunning() {
        try (var held = guard.hold()) {
            return running;
        }
    }

    /** Begins to campaign. Does not block; does nothing if the initiator runs. */
    @Override
    public void start() {
        try (var held = guard.hold()) {
            running = true;
            campaign();
        }
    }

    /**
     * Ends the campaign or the term. Blocks until the candidate and the listeners have been told and the lead is given back, for 30
     * seconds at most, or until the thread is interrupted, and stays so; does not wait for who calls it while being told, but
     * interrupts an {@code onGranted} that does.
     */
    @Override
    public void stop() {
        ended(true);
        announcer.await(longestEnd);
    }

    /** Does the same for a context, which waits for the callback. An {@code onGranted} that calls this is not interrupted by it. */
    @Override
    public void stop(Runnable callback) {
        Objects.requireNonNull(callback, "callback");
        ended(false);
        announcer.tellOrRun(callback);
    }

    /** Does what {@link #stop()} does, but interrupts no {@code onGranted} that calls it: the context goes on to close there. */
    @Override
    public void destroy() {
        ended(false);
        // The phase has waited, too, and many candidates may stand still.
        Duration left = longestEnd.minusNanos(System.nanoTime() - stopped);
        announcer.await(left.compareTo(SHORTEST_END) > 0 ? left : SHORTEST_END);
    }

    private void ended(boolean itself) {
        try (var held = guard.hold()) {
            stopped = running ? System.nanoTime() : stopped;
            running = false;
            CompletableFuture<Lease> waiting = campaign;
            campaign = null;
            if (waiting != null) {
                waiting.cancel(true);
            }
            var unused = end(term, Runnable::run);
        }
        announcer.interrupt(itself); // also of a term that has ended before: who ended it may have been passed over
    }

    /** Campaigns unless this candidate does, or leads. */
    private void campaign() {
        if (running && campaign == null && term == null) {
            CompletableFuture<Lease> next = begun();
            campaign = next;
            next.whenComplete((lease, failure) -> decided(next, lease, failure));
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

    private void decided(CompletableFuture<Lease> decided, @Nullable Lease lease, @Nullable Throwable failure) {
        try (var held = guard.hold()) {
            if (campaign != decided) { // stopped meanwhile
                if (lease != null) {
                    lease.releaseAsync();
                }
                return;
            }
            campaign = null;
            if (lease == null) {
                failed(Objects.requireNonNull(failure));
                return;
            }
            failing = false;
            LeaderTerm begun = new LeaderTerm(this, candidate, lease);
            term = begun;
            lease.onLost(loss -> end(begun)); // first: it is not to go on unheard, whatever becomes of what follows
            announcer.tell(() -> granted(begun));
        }
    }

    /** Tells the candidate that it leads. One that fails would fail again at once, and gets its next turn a little later. */
    private void granted(LeaderTerm begun) {
        if (!announcer.granted(begun)) {
            var unused = end(begun, next -> LATER.execute(() -> announcer.tell(next)));
        }
    }

    private void failed(Throwable failure) {
        if (failure instanceof ClientClosedException || failure instanceof CancellationException) {
            running = false;
            LOG.debug(failure, "Stopped, as the client was closed");
            return;
        }
        if (!failing) {
            failing = true;
            LOG.warn(
                    failure,
                    () -> "The campaign for '" + candidate.getRole()
                            + "' failed; the next one begins in a second, and so on");
        }
        LATER.execute(() -> announcer.tell(this::again));
    }

    /** Ends that term if it is the present one, and campaigns again when all have been told. */
    void end(LeaderTerm ended) {
        if (end(ended, Runnable::run)) {
            announcer.interrupt(true);
        }
    }

    private boolean end(@Nullable LeaderTerm ended, Executor next) {
        try (var held = guard.hold()) {
            if (ended == null || term != ended) {
                return false;
            }
            term = null;
            ended.end();
            announcer.tell(() -> {
                announcer.revoked(ended);
                ended.lease().release();
                next.execute(this::again);
            });
            return true;
        }
    }

    private void again() {
        try (var held = guard.hold()) {
            campaign();
        }
    }
}
