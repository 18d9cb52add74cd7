package io.belay.internal.gate;

import io.belay.internal.claim.Engine;
import io.belay.internal.machine.Stay;
import io.belay.internal.time.Threads;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.support.NameRules;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The taking away of locks by force. Who does it first leaves a note in the store: a claim on a name beside the lock's, which
 * stands for half a minute at most. A holder that is told of the loss reads there by whom. Thread-safe.
 */
public final class Evictions {
    /** The longest time for which a note stands, in microseconds. */
    private static final long NOTE = 30_000_000;

    /** The shortest time for which a note stands, in microseconds. */
    private static final long BRIEF_NOTE = 2_000_000;

    /** The longest time for which a loss is told later, so that it can say by whom, in nanoseconds. */
    private static final long READING = 500_000_000;

    /** The most by which a note may seem to be older than the hold that it ended, in nanoseconds: clocks differ. */
    private static final long CLOCKS = 5_000_000_000L;

    /** The same for a hold of which the store does not say that it was ended by force. */
    private static final long CLOCKS_IF_UNSURE = 1_000_000_000;

    private final Engine engine;
    /** The questions that are not answered yet: the end of the client is their end, as no timer fires after it. */
    private final Set<CompletableFuture<Optional<String>>> asked = ConcurrentHashMap.newKeySet();

    Evictions(Engine engine) {
        this.engine = engine;
    }

    /**
     * Takes a lock away; the answer says whether anybody had it. A note that fails keeps nobody from that, and none is left
     * for a lock that nobody has. Once the request timeout is over nothing more is sent: who asked was told that it failed, and
     * by now the lock may be somebody's from whom nobody wants to take it.
     */
    public CompletionStage<Answer> force(String name, String behalf) {
        long end = engine.time.nanos() + engine.requestTimeout();
        Owner owner = engine.owner(Threads.name(Thread.currentThread()), behalf.replace(Owner.NOTE, ' '));
        return engine.inspect(name)
                .thenCompose(seen -> {
                    OptionalLong last = seen.resource().stream()
                            .flatMap(resource -> resource.claims().stream())
                            .mapToLong(claim -> claim.deadline() - seen.time())
                            .max();
                    // A note is of no use for longer, and a store may have no longer leases than those that it gives.
                    long lease = Math.max(BRIEF_NOTE, Math.min(NOTE, last.orElse(0)));
                    // A later note waits behind an earlier one, and says so of itself all the same.
                    return last.isEmpty() || isLate(end)
                            ? CompletableFuture.completedFuture(null)
                            : enter(note(name), lease, owner);
                })
                .handle((answer, error) -> isLate(end)
                        ? CompletableFuture.<Answer>failedFuture(
                                StoreException.unreachable("the store did not answer in time", null))
                        : engine.send(Request.Evict.of(name)))
                .thenCompose(evicted -> evicted);
    }

    private boolean isLate(long end) {
        return engine.time.nanos() - end >= 0;
    }

    /** Enters a note that stands for so many microseconds. */
    private CompletionStage<Answer> enter(String note, long lease, Owner owner) {
        Store by = engine.store();
        ClaimId id = engine.nextClaimId();
        return engine.send(by, Request.Enter.of(note, id, ClaimSpec.whole(lease), 0, owner))
                .whenComplete((answer, error) -> engine.leaveLater(note, id, error != null, lease * 1000));
    }

    private static String note(String name) {
        return NameRules.hidden(name, "forced");
    }

    /**
     * Reads who has taken a lock away, if anybody has and the store says so soon, and before the lease would have ended.
     *
     * @param claim by which it was held
     * @param acquired since when, by nanoTime
     * @param sure whether the store says that it was by force
     */
    CompletableFuture<Optional<String>> by(Stay claim, long acquired, boolean sure) {
        CompletableFuture<Optional<String>> found = new CompletableFuture<>();
        long left = claim.until() - engine.time.nanos();
        asked.add(found);
        found.whenComplete((by, error) -> asked.remove(found));
        if (left <= 0 || engine.isDown()) {
            found.complete(Optional.empty());
            return found;
        }
        engine.limit(found, Math.min(READING, left), () -> found.complete(Optional.empty()));
        engine.inspect(note(claim.resource)).whenComplete((seen, error) -> {
            long held = engine.time.nanos() - acquired + (sure ? CLOCKS : CLOCKS_IF_UNSURE);
            found.complete(error == null ? by(held, seen) : Optional.empty());
        });
        return found;
    }

    /** Waits for none of those answers, as the client has ended or is paused; losses are told without them. */
    public void close() {
        asked.forEach(found -> found.complete(Optional.empty()));
    }

    private static Optional<String> by(long held, Store.Snapshot seen) {
        return seen.resource().stream()
                .flatMap(notes -> notes.claims().stream())
                .filter(note -> note.deadline() > seen.time() && (seen.time() - note.entered()) * 1000 < held)
                .reduce((earlier, later) -> later)
                .map(note -> note.owner().toString());
    }
}
