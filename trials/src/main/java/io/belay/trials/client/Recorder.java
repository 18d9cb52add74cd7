package io.belay.trials.client;

import io.belay.LeaseLostException;
import io.belay.LockRefusedException;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.HistoryFile;
import io.belay.trials.library.Ask;
import io.belay.trials.library.Grant;
import io.belay.trials.library.Library;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Asks a library for locks, and writes down each step. Thread-safe. */
final class Recorder {
    private final Library library;
    private final HistoryFile file;
    private final String process;
    private final Holder holder;
    private final AtomicLong last;

    Recorder(Library library, HistoryFile file, String process, Holder holder) {
        this(library, file, process, holder, new AtomicLong());
    }

    private Recorder(Library library, HistoryFile file, String process, Holder holder, AtomicLong last) {
        this.library = library;
        this.file = file;
        this.process = process;
        this.holder = holder;
        this.last = last;
    }

    /** Returns a recorder that asks another client of the library, and writes into the same history. */
    Recorder with(Library other) {
        return new Recorder(other, file, process, holder, last);
    }

    /** Asks for a lock; returns empty also where it is not known whether the thread got it. */
    Optional<Holding> acquire(int thread, Ask ask) throws InterruptedException {
        Holding holding = new Holding(this, thread, last.incrementAndGet(), ask);
        holding.add(Type.ASK, System.nanoTime(), 0);
        holder.waits(thread, ask.name());
        Optional<Grant> grant;
        try {
            grant = library.acquire(ask);
        } catch (RuntimeException e) {
            holder.givesUp(thread);
            unknown(thread, List.of(holding), e);
            return Optional.empty();
        }
        if (grant.isEmpty()) {
            holder.givesUp(thread);
            holding.add(Type.REFUSED, System.nanoTime(), 0);
            return Optional.empty();
        }
        holding.granted(grant.get());
        holder.granted(thread, ask.name());
        return Optional.of(holding);
    }

    /**
     * Asks for a lock in strict order, and writes down when the claim has its place; returns empty where it is not
     * known whether the thread got the lock.
     */
    Optional<Holding> acquireInOrder(int thread, Ask ask) throws InterruptedException {
        Holding holding = new Holding(this, thread, last.incrementAndGet(), ask);
        holding.add(Type.ASK, System.nanoTime(), 0);
        holder.waits(thread, ask.name());
        try {
            holding.granted(library.acquireInOrder(ask, () -> holding.add(Type.QUEUED, System.nanoTime(), 0)));
        } catch (RuntimeException e) {
            holder.givesUp(thread);
            unknown(thread, List.of(holding), e);
            return Optional.empty();
        }
        holder.granted(thread, ask.name());
        return Optional.of(holding);
    }

    /** Asks for several locks at once; returns none where it is not known whether the thread got them. */
    List<Holding> acquireAll(int thread, List<Ask> asks) throws InterruptedException {
        List<Holding> holdings = new ArrayList<>();
        for (Ask ask : asks) {
            holdings.add(new Holding(this, thread, last.incrementAndGet(), ask));
        }
        holdings.forEach(holding -> holding.add(Type.ASK, System.nanoTime(), 0));
        try {
            List<Grant> grants = library.acquireAll(asks);
            for (int i = 0; i < grants.size(); i++) {
                holdings.get(i).granted(grants.get(i));
            }
        } catch (RuntimeException e) {
            unknown(thread, holdings, e);
            return List.of();
        }
        holder.granted(thread, asks.get(0).name());
        return holdings;
    }

    /** Writes down that it is not known what came of these asks, and whether the library was not to say so. */
    private void unknown(int thread, List<Holding> asked, RuntimeException thrown) {
        asked.forEach(holding -> holding.add(Type.UNKNOWN, System.nanoTime(), 0));
        if (!asked.stream().allMatch(holding -> library.mayThrow(holding.ask(), thrown))) {
            defect(thread, thrown);
        }
    }

    /** Turns a writer's hold into a reader's; returns empty if the writer's was lost. */
    Optional<Holding> downgrade(int thread, Holding writing, Ask ask) {
        Holding reading = new Holding(this, thread, last.incrementAndGet(), ask);
        reading.add(Type.ASK, System.nanoTime(), 0);
        writing.add(Type.RELEASE, System.nanoTime(), 0);
        try {
            reading.granted(writing.grant().downgrade());
        } catch (LeaseLostException e) {
            writing.add(Type.RELEASED_LATE, System.nanoTime(), 0);
            reading.add(Type.REFUSED, System.nanoTime(), 0);
            return Optional.empty();
        }
        writing.add(Type.RELEASED, System.nanoTime(), 0);
        return Optional.of(reading);
    }

    /** Returns whether the library renews what is held. */
    boolean renews() {
        return library.renews();
    }

    /** Returns whether the library has leases of a claim's own. */
    boolean hasLeasePerClaim() {
        return library.hasLeasePerClaim();
    }

    /** Writes down that something was thrown that is not to be; the log of the process tells where. */
    void defect(int thread, Throwable thrown) {
        String name = thrown.getClass().getName();
        boolean wentBack = thrown instanceof LockRefusedException
                && String.valueOf(thrown.getMessage()).startsWith("The store went back");
        Type type = wentBack ? Type.WENT_BACK : Type.DEFECT;
        file.add(new Event(System.nanoTime(), process, thread, type, 0, name, 0, 0, 0, 0));
        thrown.printStackTrace();
    }

    void stuck(int thread, String what) {
        file.add(new Event(System.nanoTime(), process, thread, Type.STUCK, 0, what, 0, 0, 0, 0));
    }

    void add(int thread, Type type, long nanos, long hold, Ask ask, long token, long value) {
        file.add(new Event(nanos, process, thread, type, hold, ask.name(), ask.weight(), ask.capacity(), token, value));
    }
}
