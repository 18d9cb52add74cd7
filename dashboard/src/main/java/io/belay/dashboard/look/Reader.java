package io.belay.dashboard.look;

import io.belay.BelayAdmin;
import io.belay.BelayException;
import io.belay.Inspection;
import io.belay.StoreUnavailableException;
import io.belay.support.OneLine;
import io.belay.support.UrlPasswords;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the locks of a store, read by reading. A reading asks for each name by a request, sixteen at a time, and takes a
 * part of a {@link Sweep}; where that is not all, what pages show is read each time, too. For one thread.
 */
final class Reader implements AutoCloseable {
    private static final int SIDE_BY_SIDE = 16;

    /** Of what pages show, the most that is read beside the sweep. */
    private static final int MOST_SHOWN = 110;

    /** The most holders of whom one object is kept for all locks that they hold. */
    private static final int MOST_PEOPLE = 10_000;

    private static final long LONG_AGO = TimeUnit.DAYS.toNanos(1);

    /** The state of the store as the last reading has shown it. */
    record Outage(long sinceMillis, String why) {}

    private final BelayAdmin admin;
    private final Sweep sweep;
    private final SeenRings rings = new SeenRings();
    private final SeenChanges changes = new SeenChanges();
    private final Map<String, SeenLock> locks = new HashMap<>();
    private final Map<Who, Who> people = new HashMap<>();

    /** Of the names of this round, those of whose locks the store has not told. */
    private final Set<String> untold = new HashSet<>();

    /** Why the store has refused to tell of some lock, in this round so far and as pages show it; empty if it has told of all. */
    private String refused = "";

    private String missed = "";

    private final ExecutorService threads;
    private Map<String, Inspection> opened = Map.of();
    private List<List<SeenRings.Link>> confirmed = List.of();
    private Outage outage = new Outage(0, "");
    private long roundBegan;
    private long lastRound = System.nanoTime() - LONG_AGO;
    private long lastAnswerMillis;
    private long resumedMillis;

    Reader(BelayAdmin admin) {
        this.admin = admin;
        sweep = new Sweep(() -> admin.names(""));
        threads = Executors.newFixedThreadPool(SIDE_BY_SIDE, task -> {
            Thread thread = new Thread(task, "dashboard-request");
            thread.setDaemon(true);
            return thread;
        });
        lastAnswerMillis = System.currentTimeMillis();
    }

    /** Says that nobody has looked for a while: an outage is not older than the reading that comes now. */
    void resume() {
        resumedMillis = System.currentTimeMillis();
        if (isAway()) {
            outage = new Outage(resumedMillis, outage.why());
        }
    }

    /**
     * Reads once. Blocks until the store answered, or some requests side by side have run out of time. Where it throws, what was
     * passed of the round has not been read.
     */
    void read(Collection<View> views) throws InterruptedException {
        try {
            readOnce(views);
        } catch (RuntimeException | Error e) {
            sweep.restart();
            throw e;
        }
    }

    private void readOnce(Collection<View> views) throws InterruptedException {
        String unlisted = "";
        boolean ended = false;
        Set<String> names = new LinkedHashSet<>(shown(views));
        try {
            if (sweep.ended()) {
                roundBegan = System.nanoTime();
                untold.clear();
                refused = "";
            }
            names.addAll(sweep.next());
            ended = sweep.ended();
        } catch (BelayException e) {
            sweep.restart();
            unlisted = told(e);
        }
        Answers answers = ask(names);
        String failure = answers.failure().isEmpty() ? unlisted : answers.failure();
        boolean answering =
                failure.isEmpty() || answers.refuses() || !answers.told().isEmpty();
        follow(answering && unlisted.isEmpty(), failure, System.currentTimeMillis());
        merge(answers.told(), answering, ended, views);
    }

    /** What the store has told of some names, whether it has refused to of others, and why the last one was not answered, if any. */
    private record Answers(Map<String, Inspection> told, boolean refuses, String failure) {}

    private Answers ask(Set<String> names) throws InterruptedException {
        Map<String, Future<Inspection>> asked = new LinkedHashMap<>();
        names.forEach(name -> asked.put(name, threads.submit(() -> admin.inspect(name))));
        Map<String, Inspection> told = new HashMap<>();
        boolean refuses = false;
        String failure = "";
        int inVain = 0;
        for (Map.Entry<String, Future<Inspection>> one : asked.entrySet()) {
            if (inVain == SIDE_BY_SIDE) { // the others would not be answered either, each after its own time
                one.getValue().cancel(false);
                untold.add(one.getKey());
                continue;
            }
            try {
                told.put(one.getKey(), one.getValue().get());
                inVain = 0;
            } catch (ExecutionException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                untold.add(one.getKey());
                if (cause instanceof BelayException && !(cause instanceof StoreUnavailableException)) {
                    refuses = true;
                    refused = told(cause);
                    missed = refused;
                } else {
                    failure = told(cause);
                }
                inVain = cause instanceof StoreUnavailableException ? inVain + 1 : 0;
            }
        }
        return new Answers(told, refuses, failure);
    }

    private void merge(Map<String, Inspection> answers, boolean answering, boolean ended, Collection<View> views) {
        long now = System.nanoTime();
        long millis = System.currentTimeMillis();
        answers.values().forEach(answer -> put(answer, now, millis));
        if (ended) {
            lastRound = now;
            missed = refused;
            dropUnseen(millis);
        }
        if (answering) {
            Map<String, Inspection> open = new HashMap<>();
            for (View view : views) {
                Inspection answer = answers.get(view.open());
                if (answer != null) {
                    open.put(view.open(), answer);
                }
            }
            opened = open;
            confirmed = rings.confirm(locks.values(), admin.capabilities().sharing());
        }
        changes.endReading(millis);
    }

    private void follow(boolean answering, String failure, long millis) {
        boolean away = isAway();
        if (answering) {
            lastAnswerMillis = millis;
            if (away) {
                outage = new Outage(0, "");
                changes.add(millis, SeenChanges.Kind.BACK, "", "");
            }
        } else if (!away) {
            outage = new Outage(Math.max(lastAnswerMillis, resumedMillis), failure);
            changes.add(millis, SeenChanges.Kind.AWAY, "", failure);
        }
    }

    private void put(Inspection answer, long now, long millis) {
        SeenLock known = locks.get(answer.name());
        // Where each reading is of all names, one that was not among them was free; else nobody knows for how long.
        boolean wasRead = sweep.rounds() > 1 && !sweep.isLarge();
        SeenLock before = known != null ? known : SeenLock.free(answer.name(), wasRead ? lastRound : now - LONG_AGO);
        SeenLock seen = SeenLock.of(answer, before, this::same, now);
        if (sweep.rounds() > 1 || known != null) { // what was there before anybody looked is no change
            changes.compare(before, seen, millis);
        }
        if (seen.isFree()) {
            locks.remove(seen.name());
        } else {
            locks.put(seen.name(), seen);
        }
    }

    private Who same(Who who) {
        if (people.size() == MOST_PEOPLE) {
            people.clear();
        }
        return people.computeIfAbsent(who, itself -> itself);
    }

    /** Forgets the locks that were not among the names of the round that has ended; one that was, and was not told of, is as it was. */
    private void dropUnseen(long millis) {
        List<SeenLock> gone = new ArrayList<>();
        locks.values().forEach(lock -> {
            if (!lock.isSince(roundBegan) && !untold.contains(lock.name())) {
                gone.add(lock);
            }
        });
        for (SeenLock lock : gone) {
            locks.remove(lock.name());
            changes.compare(lock, SeenLock.free(lock.name(), 0), millis);
        }
    }

    /** Returns the names that are read each time: what is open, what may be a deadlock, and where there are many, what is listed. */
    private Set<String> shown(Collection<View> views) {
        Set<String> shown = new LinkedHashSet<>();
        views.stream().map(View::open).filter(name -> !name.isEmpty()).forEach(shown::add);
        if (!sweep.isLarge()) {
            return limited(shown);
        }
        shown.addAll(rings.suspects());
        views.stream().map(View::search).filter(name -> !name.isEmpty()).forEach(shown::add);
        int each = MOST_SHOWN / Math.max(1, views.size());
        for (View view : views) {
            Top.of(locks.values(), view.search(), each).forEach(lock -> shown.add(lock.name()));
        }
        return limited(shown);
    }

    private static Set<String> limited(Set<String> names) {
        Set<String> limited = new LinkedHashSet<>();
        names.stream().limit(MOST_SHOWN).forEach(limited::add);
        return limited;
    }

    private static String told(Throwable failure) {
        String message = failure instanceof BelayException ? String.valueOf(failure.getMessage()) : failure.toString();
        return OneLine.of(UrlPasswords.mask(message));
    }

    /** Adds that a hold was ended. */
    void noteEnded(String name, String by) {
        changes.add(System.currentTimeMillis(), SeenChanges.Kind.ENDED, name, by);
    }

    boolean isAway() {
        return outage.sinceMillis() > 0;
    }

    Outage outage() {
        return outage;
    }

    /** Returns why not all is known, where the store has answered for some name that it does not tell; empty if it has told of all. */
    String missed() {
        return missed;
    }

    long lastAnswerMillis() {
        return lastAnswerMillis;
    }

    Collection<SeenLock> locks() {
        return locks.values();
    }

    /** Returns what was read last of a lock; null if it is free, or was not read yet. */
    @Nullable
    SeenLock lock(String name) {
        return locks.get(name);
    }

    /** Returns what was read last of the locks that pages have open. */
    Map<String, Inspection> opened() {
        return opened;
    }

    List<List<SeenRings.Link>> rings() {
        return confirmed;
    }

    SeenChanges changes() {
        return changes;
    }

    Sweep sweep() {
        return sweep;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
