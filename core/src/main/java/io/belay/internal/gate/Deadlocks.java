package io.belay.internal.gate;

import io.belay.DeadlockException;
import io.belay.LockMode;
import io.belay.LockStatistics.WaitEnd;
import io.belay.internal.claim.Engine;
import io.belay.internal.jfr.Recorder;
import io.belay.internal.machine.Failure;
import io.belay.internal.machine.Known;
import io.belay.internal.time.Timers;
import io.belay.internal.time.Workers;
import io.belay.spi.ClaimId;
import io.belay.spi.Owner;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * The search for deadlocks that this client is part of. Who has waited for long and holds something has that noted on each claim by
 * which it holds. From then on it reads whom it waits for, whom they wait for, and so on; those who wait for one lock share what they
 * read, but for one who sees a ring. A ring that stands in two readings is reported; one that stands in five is broken by its
 * youngest wait, and if that does not help, later by the next. Thread-safe.
 */
final class Deadlocks {
    /** The readings after which a ring is told, and after which the youngest gives up: so that the others see it, too. */
    private static final int SURE = 2;

    private static final int BROKEN = 5;

    /** The most that a line shows of a stack. */
    private static final int FRAMES = 40;

    private final Gates gates;
    private final Engine engine;
    /** The wait after which one is looked at, in nanoseconds; {@link Long#MAX_VALUE} for never. */
    final long after;

    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, LongWait> waits = new ConcurrentHashMap<>();
    /** The readings of the last moment, by the lock that is waited for; each comes to those who hold a lock and wait. */
    private final Map<String, CompletableFuture<Map<String, List<Rings.Link>>>> recent = new ConcurrentHashMap<>();
    /** The rings that stand, by what is held in them. */
    private final Map<Set<Rings.Seen>, Standing> standing = new ConcurrentHashMap<>();

    Deadlocks(Gates gates) {
        this.gates = gates;
        engine = gates.engine;
        after = SlowWatch.nanosOrNever(engine.options.deadlockCheck());
    }

    /**
     * Looks at waits from the moment at which they are long, of those who hold anything. Nobody is a suspect any more then; where
     * something fails they all are, until this is called again. Called outside of any step, and goes through all that this client
     * holds.
     */
    void suspect(Queue<Hold> suspects) {
        long now = engine.time.nanos();
        suspects.removeIf(waiter -> !waiter.isPending());
        List<Hold> waiters = List.copyOf(suspects);
        gates.heldBy(waiters, (waiter, held) -> {
            LongWait begun = waiter.longWait; // if what came next has failed
            LongWait wait = begun == null ? new LongWait(waiter, held, now) : begun;
            waiter.longWait = wait; // before anything is noted: whoever ends the wait tells it
            engine.timers.schedule(wait, now + after - waiter.waited(now));
        });
        waiters.forEach(any -> suspects.poll());
    }

    /**
     * Ends that: the claims say no more that it waits. Who has got an exclusive lock has a moment in which to give back what it holds,
     * and saves the request: nobody is led astray by its note, as whoever could hold that lock next, and wait, has yet to do so for
     * long. Nothing of a wait that goes on, as the step failed that was to end it: the next one tells again. Called outside of any
     * step.
     */
    void ended(LongWait wait) {
        if (!wait.waiter.isPending() && waits.remove(wait.number, wait)) {
            long now = engine.time.nanos();
            if (wait.waiter.failure() == null && wait.waiter.mode() == LockMode.EXCLUSIVE) {
                engine.timers.schedule(wait, now + after / 4);
            } else {
                wait.fire(now);
            }
        }
    }

    /**
     * Tells that a thread waits for what it holds itself. One that has passed its lease on and waits for a limited time knows what it
     * does: it is not told, nor is one that has the lock by now. Called outside of any step.
     */
    void itself(Hold waiter, Hold holder) {
        boolean bound = holder.asks.breaks;
        if (!bound && (waiter.limit() != Long.MAX_VALUE || !waiter.isPending())) {
            return;
        }
        String text = "Deadlock: " + ReportText.who(waiter.threadName(), waiter.asks.behalf) + " waits for the lock '"
                + waiter.name() + "', which it holds itself (token " + holder.token()
                + "): it is not reentrant"
                + (bound ? "" : ", and it waits in vain unless another thread gives that lease back");
        // A ring of one, by nanoTime: only differences are shown.
        long time = engine.time.nanos() / 1000;
        Owner owner = engine.owner(waiter.threadName(), waiter.asks.behalf).withSince(holder.acquired() / 1000);
        WaitNote note = new WaitNote(0, time, waiter.asks.breaks, bound, holder.name());
        ClaimId claim = holder.claim().id;
        Rings.Link link = new Rings.Link(holder.name(), claim, holder.claim().sequence(), false, owner, note, time);
        Ring ring = Ring.of(List.of(link), claim.client());
        tell(waiter, text, ring);
        waiter.toldItself = true; // not before: what fails is found again
        if (bound && waiter.asks.breaks) {
            fail(waiter, text, ring);
        }
    }

    private void tell(Hold waiter, String text, Ring ring) {
        String lock = waiter.name();
        Recorder.deadlock(lock, waiter.threadName(), ring.line());
        String stack = !waiter.isThread()
                ? ""
                : Arrays.stream(waiter.thread.getStackTrace())
                        .limit(FRAMES)
                        .map(frame -> "at " + frame)
                        .collect(Collectors.joining(" ", ". Its stack: ", ""));
        engine.callbacks.reports.execute(() -> engine.events.slow("deadlock", lock, text + stack));
        engine.events.tell(to -> to.deadlock(ring));
    }

    private static void fail(Hold waiter, String text, Ring ring) {
        Failure failure = new Failure(WaitEnd.ERROR, text, all -> DeadlockException.of(all, ring));
        waiter.gate.step(its -> its.gaveUp(waiter, failure));
    }

    /** A ring that was seen, and what has been done about it. */
    private final class Standing {
        final long first = engine.time.nanos();
        volatile long last = first;
        /** The waits of this client that were told of it. */
        final Set<Long> told = ConcurrentHashMap.newKeySet();
        /** Those of this client who were told to give up, and may have begun to wait again. */
        final Set<Optional<Object>> gave = ConcurrentHashMap.newKeySet();
    }

    /** A wait that is long, of one who holds something. It reads again once it has seen what it read, or waited long for it. */
    final class LongWait extends Timers.Timer {
        private final long number = numbers.incrementAndGet();
        private final Hold waiter;
        private final Set<Hold> held;
        /** Since when, in the store's microseconds. */
        private final long since;

        /** How many readings were begun. */
        private volatile int readings;

        /** The ring that was seen last, and in how many readings in a row; empty if none was. */
        private Set<Rings.Seen> before = Set.of();

        private int equal;

        LongWait(Hold waiter, Set<Hold> held, long now) {
            this.waiter = waiter;
            this.held = held;
            // The store has answered: else nobody would have been let in by that claim.
            Known known = Objects.requireNonNull(held.iterator().next().claim().known());
            since = known.time() + (now - waiter.waited(now) - known.sent()) / 1000;
        }

        private String note(Hold hold) {
            return new WaitNote(number, since, waiter.asks.breaks, hold.asks.breaks, waiter.name()).text();
        }

        @Override
        public void fire(long now) {
            // If this fails, or is not answered.
            engine.timers.schedule(this, now + 2 * after + engine.requestTimeout());
            if (!waiter.isPending() || engine.isDown()) {
                waits.remove(number, this);
                held.forEach(hold -> hold.gate.step(its -> its.unnote(hold, note(hold))));
                engine.timers.cancel(this);
            } else if (waits.get(number) != this) { // not all is noted yet; it reads once others can have read that
                held.forEach(hold -> hold.gate.step(its -> its.note(hold, note(hold))));
                engine.timers.schedule(this, now + after / 10);
                waits.put(number, this); // behind the notes: until then it begins again
            } else {
                int reading = ++readings;
                Rings.Caller caller = new Rings.Caller(engine.number(), number);
                read(now).thenAccept(holders -> {
                    if (reading == readings) {
                        seen(Rings.through(caller, waiter.name(), holders));
                    }
                });
            }
        }

        /**
         * Reads on behalf of all who wait for that lock, unless another one has begun to do so a moment ago. Who has seen a ring reads
         * by itself, later than that was read: so what it tells stands.
         */
        private CompletableFuture<Map<String, List<Rings.Link>>> read(long now) {
            String lock = waiter.name();
            var known = recent.get(lock);
            if (known != null && equal == 0) {
                return known;
            }
            CompletableFuture<Map<String, List<Rings.Link>>> read = new CompletableFuture<>();
            engine.timers.schedule(Timers.Timer.of(() -> recent.remove(lock, read)), now + after / 10);
            recent.put(lock, read); // behind the timer, which is to forget it
            new RingWalk(engine, List.of(lock), RingWalk.MOST).go(engine, read::complete);
            return read;
        }

        private void seen(List<Rings.Link> ring) {
            if (!waiter.isPending()) {
                return; // and after a pause the client would take its own claims of before for another's
            }
            long now = engine.time.nanos();
            Set<Rings.Seen> seen = ring.stream().allMatch(this::isLive) ? Rings.seen(ring) : Set.of();
            equal = seen.isEmpty() ? 0 : seen.equals(before) ? equal + 1 : 1;
            before = seen;
            boolean old = waiter.waited(now) > 10 * after;
            engine.timers.schedule(this, now + (equal > 0 ? after / 5 : old ? after * 2 : after / 2));
            if (equal >= SURE) {
                sure(ring, now); // which may end the wait, or fail and be done again
            }
        }

        /** Returns whether a link is another client's, or stands here still. */
        private boolean isLive(Rings.Link link) {
            LongWait wait = waits.get(link.note().number());
            return link.claim().client() != engine.number() || (wait != null && wait.waiter.isPending());
        }

        /** Returns whether the waiter alone is the ring, and was told so, or waits for a limited time for what it has passed on. */
        private boolean isKnown(List<Rings.Link> ring) {
            boolean passedOn =
                    waiter.limit() != Long.MAX_VALUE && !ring.get(0).note().bound();
            return ring.size() == 1 && (waiter.toldItself || passedOn);
        }

        private void sure(List<Rings.Link> ring, long now) {
            Set<Rings.Seen> key = ring.stream().map(Rings.Link::held).collect(Collectors.toSet());
            standing.values().removeIf(one -> now - one.last > 4 * after);
            Standing stands = standing.computeIfAbsent(key, any -> new Standing());
            stands.last = now;
            Ring shown = Ring.of(ring, engine.number());
            String text = "Deadlock, found while " + ReportText.who(waiter.threadName(), waiter.asks.behalf)
                    + " waited for the lock '" + waiter.name() + "': " + shown.line();
            if (!isKnown(ring) && stands.told.add(number)) {
                Workers.perform(
                        () -> tell(waiter, text, shown), "A deadlock could not be told; it is broken all the same");
            }
            int place = Rings.victims(ring).indexOf(new Rings.Caller(engine.number(), number));
            boolean isDue = place == 0 ? equal >= BROKEN : now - stands.first >= place * 5 * after / 2;
            if (place >= 0 && isDue && !stands.gave.contains(waiter.owner())) {
                fail(waiter, text, shown);
                stands.gave.add(waiter.owner());
            }
        }
    }
}
