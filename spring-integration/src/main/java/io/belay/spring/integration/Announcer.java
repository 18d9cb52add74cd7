package io.belay.spring.integration;

import io.belay.support.LogName;
import io.belay.support.Mutex;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.log.LogAccessor;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.event.LeaderEventPublisher;

/** A teller of what becomes of a candidate: one thing after the other, on a thread that ends when there is no more. */
final class Announcer {
    private static final LogAccessor LOG = new LogAccessor(LogName.LEADER.text());

    private static final Executor AGAIN = CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS, Runnable::run);

    static {
        AGAIN.execute(() -> {}); // while there is a thread for it
    }

    private final Object source;
    private final Candidate candidate;
    private final ThreadPoolExecutor thread;
    private final Queue<Runnable> untold = new ConcurrentLinkedQueue<>();
    private volatile @Nullable LeaderEventPublisher publisher;
    private volatile @Nullable Thread teller;

    private final Mutex guard = new Mutex();
    // These two under the guard, and written by the teller alone.
    private @Nullable LeaderTerm beginning;
    private @Nullable LeaderTerm told;

    Announcer(Object source, Candidate candidate) {
        this(source, candidate, Thread::new);
    }

    /** Makes one whose threads are made by that, of what they do and of their name. */
    Announcer(Object source, Candidate candidate, BiFunction<Runnable, String, Thread> threads) {
        this.source = source;
        this.candidate = candidate;
        thread = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread made = threads.apply(task, "belay-leader-" + candidate.getRole());
            made.setDaemon(true);
            teller = made;
            return made;
        });
        thread.allowCoreThreadTimeOut(true);
    }

    /** Makes that publisher the one that publishes; where {@code first}, only if there is none yet. */
    void publishBy(LeaderEventPublisher events, boolean first) {
        if (!first || publisher == null) {
            publisher = events;
        }
    }

    /** Tells something, behind all that there is to tell by now; where no thread can be started, as soon as one can. */
    void tell(Runnable told) {
        untold.add(told);
        tellNext();
    }

    private void tellNext() {
        try {
            thread.execute(() -> {
                Runnable next = untold.poll();
                if (next != null) {
                    next.run();
                }
            });
        } catch (Throwable e) { // the machine has no thread left, and the task was not kept
            LOG.debug(e, "No thread can be started");
            AGAIN.execute(this::tellNext);
        }
    }

    /** Does the same, but at once for who is being told. */
    void tellOrRun(Runnable told) {
        if (Thread.currentThread() == teller) {
            told.run();
        } else {
            tell(told);
        }
    }

    /**
     * Waits until all has been told that there is by now, for so long at most: who is told may wait, on whatever thread, for what waits
     * here. An interrupt ends the wait, and is kept.
     */
    void await(Duration longest) {
        if (Thread.currentThread() == teller) {
            return;
        }
        CountDownLatch end = new CountDownLatch(1);
        tell(end::countDown);
        try {
            if (!end.await(longest.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn(() -> "The candidate for '" + candidate.getRole()
                        + "', or a listener, is waited for no longer: it has not returned");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Tells that the candidate leads, unless that is over already. Candidates and listeners may block in there until they are
     * interrupted; no listener is told of a term that is over when the candidate returns.
     *
     * @return false if the candidate failed to begin
     */
    boolean granted(LeaderTerm term) {
        if (!begins(term)) {
            return true;
        }
        try {
            candidate.onGranted(term);
            if (!term.isOver()) {
                publish(events -> events.publishOnGranted(source, term, candidate.getRole()));
            }
        } catch (Throwable e) { // of whatever kind: the lead is given back, and others are told
            if (!term.isOver()) {
                LOG.error(
                        e,
                        () -> "The candidate '" + candidate.getId() + "' steps back from '" + candidate.getRole()
                                + "': it failed to begin its lead");
                return false;
            }
        } finally {
            begun();
        }
        return true;
    }

    private boolean begins(LeaderTerm term) {
        try (var held = guard.hold()) {
            if (term.isOver()) {
                return false;
            }
            beginning = term;
            told = term;
            return true;
        }
    }

    private void begun() {
        try (var held = guard.hold()) {
            beginning = null;
            Thread.interrupted(); // it was for those who were told alone
        }
    }

    /**
     * Interrupts the candidate, or a listener, that is being told of a lead whose term is over.
     *
     * @param itself whether also where that calls this
     */
    void interrupt(boolean itself) {
        try (var held = guard.hold()) {
            Thread current = teller;
            if (beginning != null
                    && beginning.isOver()
                    && current != null
                    && (itself || current != Thread.currentThread())) {
                current.interrupt();
            }
        }
    }

    /** Tells that the term is over, where it has been told that it began. */
    void revoked(LeaderTerm term) {
        if (told != term) {
            return;
        }
        try {
            candidate.onRevoked(term);
        } catch (Throwable e) { // or the lead would never be given back
            LOG.error(
                    e,
                    () -> "The candidate '" + candidate.getId() + "' failed to end its lead of '" + candidate.getRole()
                            + "'");
        }
        publish(events -> events.publishOnRevoked(source, term, candidate.getRole()));
    }

    private void publish(Consumer<LeaderEventPublisher> event) {
        LeaderEventPublisher events = publisher;
        if (events == null) {
            return;
        }
        try {
            event.accept(events);
        } catch (Throwable e) { // as above
            LOG.error(e, () -> "A listener to who leads '" + candidate.getRole() + "' failed");
        }
    }
}
