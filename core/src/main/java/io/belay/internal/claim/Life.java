package io.belay.internal.claim;

import io.belay.internal.machine.ClientState;
import io.belay.internal.machine.Failure;
import io.belay.internal.machine.Machine;
import io.belay.internal.time.Workers;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The life of a client: whether it lets anybody in, and whether anybody has anything by it.
 *
 * <ul>
 *   <li><b>open</b>: everybody is let in.
 *   <li><b>pausing</b>, <b>closing</b>: nobody new is; those who hold go on until they have finished, or their time is over.
 *   <li><b>paused</b>, <b>closed</b>: nobody holds or waits, and nothing is asked of the store. A paused client opens again, a
 *       closed one never.
 * </ul>
 *
 * <p>A close may come at any moment, also while the client is being paused. What makes threads and connections and what ends
 * them takes turns. Thread-safe.
 */
public final class Life {
    private static final Log LOG = Log.of(LogName.CLIENT);

    /** The time from one look at whether claims have ended to the next, in nanoseconds. */
    private static final long LOOK_AGAIN = 5_000_000;

    private final Engine engine;
    final AtomicReference<ClientState> state = new AtomicReference<>(ClientState.OPEN);
    private volatile Runnable listener = () -> {};
    /** Done when the last of those that take turns has had its turn. */
    private final AtomicReference<CompletableFuture<@Nullable Void>> last =
            new AtomicReference<>(CompletableFuture.completedFuture(null));

    Life(Engine engine) {
        this.engine = engine;
    }

    /** Sets who is told that nobody is to have anything any more; set once, at first. */
    public void onEnding(Runnable told) {
        listener = told;
    }

    /** Makes what is thrown to whoever comes while nobody is let in: to those of a paused client, to try again may help. */
    public static RuntimeException refusal(boolean closed, String what) {
        return Objects.requireNonNull(Failure.shut(closed, what).exception());
    }

    /** Lets nobody new in, as the client is about to be closed, and waits for the holders, for so many nanoseconds at most. */
    public void drain(long atMost) {
        state.updateAndGet(now -> now == ClientState.OPEN || now == ClientState.PAUSING ? ClientState.CLOSING : now);
        letHoldersFinish(atMost);
    }

    /** Closes the client at once. Waits for the store's answers, at most for the request timeout. */
    public void close() {
        state.set(ClientState.CLOSED);
        end();
        inTurn(() -> {
            engine.timers.stop();
            engine.store().close();
            engine.callbacks.close();
        });
    }

    /** Pauses the client, if it is open, once its holders have released, or that many nanoseconds are over. */
    public void pause(long drain) {
        inTurn(() -> {
            if (state.compareAndSet(ClientState.OPEN, ClientState.PAUSING)) {
                letHoldersFinish(drain);
                if (state.compareAndSet(ClientState.PAUSING, ClientState.PAUSED)) { // else it was closed meanwhile
                    end();
                    engine.timers.stop();
                    engine.await(engine.disconnect(), engine.requestTimeout());
                    engine.callbacks.close();
                    LOG.info("The client is paused: it is not connected, and nobody holds anything by it");
                }
            }
        });
    }

    /** Opens a paused client, which connects in the background. */
    public void resume() {
        inTurn(() -> {
            if (state.get().isOver()) {
                throw refusal(true, "The client cannot be resumed: ");
            }
            if (state.get() == ClientState.PAUSED) {
                engine.resume();
                LOG.info("The client goes on");
                // Else whoever closes it waits for this turn's end.
                state.compareAndSet(ClientState.PAUSED, ClientState.OPEN);
            }
        });
    }

    private void inTurn(Runnable action) {
        CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
        engine.await(last.getAndSet(ended), Long.MAX_VALUE);
        try {
            action.run();
        } finally {
            ended.complete(null);
        }
    }

    /** Fails the waiters, and waits until the holders have released; or no longer, if that throws. */
    void letHoldersFinish(long atMost) {
        Workers.perform(() -> engine.stepAll(machine -> {}), "Not all who wait could be told that the client drains");
        Workers.perform(() -> awaitEnd(atMost, true), "The client waits no longer for those who hold");
    }

    /**
     * Fails the waiters, takes away what is held, and ends all claims: each step whatever became of those before, so that
     * nobody waits on, and connections and threads end, too.
     */
    private void end() {
        Stream.<Runnable>of(
                        listener,
                        () -> engine.stepAll(machine -> {}), // lets nobody in
                        () -> engine.stepAll(Machine::sendLeaves),
                        () -> awaitEnd(engine.requestTimeout(), false),
                        () -> engine.stepAll(Machine::abandon))
                .forEach(step -> Workers.perform(step, "Not all that the client had could be ended"));
    }

    /**
     * Waits until no claim is left, or none by which anybody holds, for so many nanoseconds at most. An interrupt ends the wait for
     * holders alone: what leaves is to come to the store before the connection is closed. It is kept for later.
     */
    private void awaitEnd(long atMost, boolean ofHolds) {
        boolean interrupted = Thread.interrupted();
        long end = engine.time.nanos() + atMost;
        while (engine.claims.values().stream().distinct().anyMatch(owner -> !ofHolds || isWaitedFor(owner))
                && engine.time.nanos() - end < 0
                && !(ofHolds && interrupted)) {
            engine.threads.parkNanos(this, Math.min(LOOK_AGAIN, end - engine.time.nanos()));
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether anybody holds by those claims; also if a look at them fails, as the next one may not. */
    private static boolean isWaitedFor(ClaimOwner owner) {
        try {
            return owner.ask(Machine::isWaitedFor);
        } catch (Throwable e) {
            LOG.debug("A look at who holds failed; it is looked again", e);
            return true;
        }
    }
}
