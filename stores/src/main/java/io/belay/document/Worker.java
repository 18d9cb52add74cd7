package io.belay.document;

import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.belay.support.Moment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A thread with its own connection: takes what is asked of some resources, and does it in a read and a write. */
final class Worker implements Runnable {
    private static final Log LOG = Log.of(LogName.STORE);

    /** The time for which a worker relies on what was read, in microseconds. */
    private static final long TRUST = TimeUnit.SECONDS.toMicros(10);

    /** The time to the next look at what may be looked at again at any time, in nanoseconds. */
    private static final long AFTER_AN_ERROR = TimeUnit.SECONDS.toNanos(1);

    /** The jobs in a row that may fail one by one before they are taken not to be at fault. */
    private static final int MANY = 2;

    /** The age until which a connection outlives refusals, in nanoseconds. */
    private static final long YOUNG = TimeUnit.SECONDS.toNanos(2);

    private final Documents documents;
    private final ResourceQueues queues;
    private final Store.Listener listener;
    private final long client;
    private final PollSchedule schedule;
    private final SoleUserCache soleUser;
    /** That of who has connected, where drivers and pools may look. */
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

    private volatile Documents.@Nullable Session session;
    private long connected;
    private volatile boolean stopped;
    private final SweepTimes sweeps = new SweepTimes(System.nanoTime());

    private final RoundTrip roundTrip = new RoundTrip();
    /** Whether it was said that others cannot be called. */
    private boolean saidMute;

    Worker(
            Documents documents,
            ResourceQueues queues,
            Store.Listener listener,
            long client,
            PollSchedule schedule,
            SoleUserCache soleUser) {
        this.documents = documents;
        this.queues = queues;
        this.listener = listener;
        this.client = client;
        this.schedule = schedule;
        this.soleUser = soleUser;
    }

    /** Makes a thread that uses the database: it has nothing of who makes it, but the class loader of who has connected. */
    Thread thread(String name, Runnable body) {
        Thread made = new Thread(null, body, name, 0, false);
        made.setContextClassLoader(loader);
        made.setDaemon(true);
        return made;
    }

    @Override
    public void run() {
        boolean open = true;
        while (open && !stopped) {
            try {
                open = step();
            } catch (Throwable e) { // the client would stand still for ever if its threads ended
                LOG.error("A thread of the database's store goes on after an error", e);
            }
        }
        hangUp();
    }

    /** Does what there is to do, or waits for it; returns false when there will be nothing more. */
    private boolean step() {
        List<ResourceQueue> batch = queues.take(sweeps.next());
        if (batch == null) {
            return false;
        } else if (!batch.isEmpty()) {
            work(batch);
        }
        PageQueue.Page page = queues.takePage();
        if (page != null) {
            list(page);
        }
        if (sweeps.isDue(System.nanoTime())) { // also where there is always work
            sweep();
        }
        return true;
    }

    private void work(List<ResourceQueue> batch) {
        List<ResourceUpdate> jobs = List.of();
        try {
            jobs = new ArrayList<>(batch.size());
            for (ResourceQueue queue : batch) {
                jobs.add(queues.job(queue));
            }
            run(jobs);
        } catch (Throwable e) {
            leave(e);
            fail(jobs, asFailure(e));
        } finally { // whatever was thrown: what is not given back would be done by nobody any more
            jobs.forEach(this::giveBack);
            batch.subList(jobs.size(), batch.size()).forEach(queues::back);
        }
    }

    private void giveBack(ResourceUpdate job) {
        long lookIn = AFTER_AN_ERROR;
        try {
            if (!job.isOver()) { // to fail it has failed, and nobody else would tell those who asked
                job.fail(
                        StoreException.unreachable("it may or may not have been done, as an error came between", null));
            }
            lookIn = schedule.next(job);
        } catch (Throwable e) {
            LOG.error("What is to be looked at is looked at again in a moment, after an error", e);
        }
        try {
            queues.back(job, lookIn);
        } catch (Throwable e) { // others are to be given back, too
            queues.back(job.queue);
            job.again().forEach(pending -> pending.fail(asFailure(e)));
        }
    }

    /** Returns what a driver threw as a failure: for want of memory or depth it may do so once, of a class again. */
    private static RuntimeException asFailure(Throwable e) {
        if (e instanceof RuntimeException known) {
            return known;
        }
        String what = "the database's driver failed: " + e;
        return e instanceof VirtualMachineError
                ? StoreException.unreachable(what, e)
                : StoreException.unusable(what, e);
    }

    /**
     * Fails jobs, or does them again one by one: if the failure may be due to one of them alone, the others are not to
     * suffer. After one that may pass, such as a wait that was too long, nobody knows what was done: then only renewals
     * and looks are tried again, which may be done twice. After any other the database has answered, but may have made some of
     * the changes: what ends something fails as if that might pass, so that whoever asked asks again, and knows that it may
     * have been done before.
     */
    private void fail(List<ResourceUpdate> jobs, RuntimeException failure) {
        boolean unclear = isTemporary(failure);
        RuntimeException general = jobs.size() == 1 ? failure : null;
        if (general == null && !unclear) {
            jobs.stream()
                    .filter(job -> !job.isOver() && job.mayHaveEnded())
                    .forEach(job -> job.failApart(StoreException.unreachable(
                            "it may or may not have been done, beside what failed: " + failure.getMessage(), failure)));
        }
        int inARow = 0;
        for (ResourceUpdate job : jobs) {
            if (job.isOver()) {
                continue;
            }
            if (general == null) {
                general = unclear && inARow >= MANY ? failure : unconnected();
            }
            if (jobs.size() == 1 && job.isSent()) { // it could be read, and may be locked
                job.failApart(failure);
            } else if (general != null) {
                job.fail(general);
            } else if (unclear && !job.isRepeatable()) {
                job.failApart(failure);
            } else {
                inARow = runApart(job) ? 0 : inARow + 1;
            }
        }
    }

    private static boolean isTemporary(RuntimeException failure) {
        return failure instanceof StoreException known && known.isTemporary();
    }

    /** Connects, unless there is a connection; returns why there is none to be had, or null. */
    private @Nullable RuntimeException unconnected() {
        try {
            session();
            return null;
        } catch (Throwable e) {
            return asFailure(e);
        }
    }

    /** Runs a job by itself; returns whether the database has answered, be it with a failure. */
    private boolean runApart(ResourceUpdate job) {
        try {
            run(List.of(job));
            return true;
        } catch (Throwable e) {
            leave(e);
            job.failApart(asFailure(e));
            return isAnswer(e);
        }
    }

    /** Returns whether the database has answered, if only to refuse what was asked. */
    private static boolean isAnswer(Throwable e) {
        return e instanceof StoreException known && !known.isTemporary();
    }

    /**
     * Hangs up after a failure. After a refusal a young connection stays, as a new one for each would only burden the database;
     * an older one goes, as that may be what is wrong: MariaDB looks up some rights only when somebody connects.
     */
    private void leave(Throwable e) {
        Documents.Session present = session;
        boolean stays =
                isAnswer(e) || (present != null && e instanceof StoreException known && present.survives(known));
        if (!stays || System.nanoTime() - connected >= YOUNG) {
            hangUp();
        }
    }

    private void run(List<ResourceUpdate> jobs) {
        reserve(jobs);
        Documents.Session connected = session();
        long begin = System.nanoTime();
        read(connected, jobs);
        Map<ResourceUpdate, Documents.Change> changes = new LinkedHashMap<>();
        long oldest = Long.MAX_VALUE;
        for (ResourceUpdate job : jobs) {
            long reserved = job.isChange() ? job.reservedByOthers() : 0;
            if (reserved > 0) {
                job.stepBack(reserved);
            } else if (job.isChange() && job.queue.contention.isToGoApart()) {
                job.goApart();
            } else if (job.isChange()) {
                changes.put(job, job.change(version()));
                oldest = Math.min(oldest, job.time());
            }
        }
        Set<String> written =
                changes.isEmpty() ? Set.of() : connected.write(List.copyOf(changes.values()), oldest + TRUST);
        if (!changes.isEmpty()) {
            roundTrip.took(System.nanoTime() - begin);
        }
        List<Documents.Call> calls = new ArrayList<>();
        for (ResourceUpdate job : jobs) {
            Documents.Change change = changes.get(job);
            if (change == null) {
                calls.addAll(job.succeed(listener));
            } else if (written.contains(change.resource())) {
                job.queue.contention.written(change.version());
                SoleUserCache.Known known = job.soleUser(change, client);
                if (known != null) {
                    soleUser.put(change.resource(), known);
                }
                calls.addAll(job.succeed(listener));
            } else {
                job.retry();
            }
        }
        if (!calls.isEmpty()) {
            ring(connected, calls);
        }
    }

    /**
     * Reserves what others were quicker to change, most often at first. It takes half the time of a reservation at most, as the
     * first one has to last until all are written.
     */
    private void reserve(List<ResourceUpdate> jobs) {
        List<ResourceUpdate> refused = jobs.stream()
                .filter(job -> job.queue.contention.isToReserve(job.isUrgent(), roundTrip.isFar()))
                .sorted(Comparator.comparingInt(job -> -job.queue.contention.refusals()))
                .toList();
        long nanos = roundTrip.reservation();
        long begin = System.nanoTime();
        for (ResourceUpdate job : refused) {
            if (System.nanoTime() - begin > nanos / 2) {
                return;
            }
            Documents.Session connected = session();
            try {
                job.reserve(connected, nanos);
            } catch (StoreException e) { // somebody keeps it locked since then: the others are done all the same
                leave(e);
                job.failApart(e);
            }
        }
    }

    /** Calls others, whose lock it is whether they hear of it or not: no job fails by that. */
    private void ring(Documents.Session connected, List<Documents.Call> calls) {
        try {
            connected.ring(calls);
        } catch (Throwable e) {
            leave(e);
            RuntimeException failure = asFailure(e);
            if (!isTemporary(failure) && !saidMute) {
                saidMute = true;
                LOG.warn("Who gets a lock next cannot be told so, and learns of it later: {}", failure.getMessage());
            } else {
                LOG.debug("Who got a lock could not be told so", e);
            }
        }
    }

    /** Reads what is not known, and does what was asked. */
    private void read(Documents.Session connected, List<ResourceUpdate> jobs) {
        List<ResourceUpdate> unknown = new ArrayList<>(jobs.size());
        for (ResourceUpdate job : jobs) {
            SoleUserCache.Known known = soleUser.take(job.queue.resource);
            if (known == null || !job.runUnread(known, client)) {
                unknown.add(job);
            }
        }
        if (!unknown.isEmpty()) {
            Moment at = Moment.now();
            Documents.Reading reading = connected.read(
                    unknown.stream().map(job -> job.queue.resource).toList());
            unknown.forEach(job -> job.run(reading.found().get(job.queue.resource), reading.time(), at, client));
        }
    }

    private void list(PageQueue.Page page) {
        try {
            page.answer().complete(session().names(page.prefix(), page.cursor()));
        } catch (Throwable e) {
            leave(e);
            page.answer().completeExceptionally(asFailure(e));
        } finally {
            queues.donePage();
        }
    }

    private static long version() {
        return ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    }

    private void sweep() {
        boolean more = false;
        try {
            more = session().sweep();
        } catch (Throwable e) {
            LOG.debug("What may be forgotten is kept for now", e);
            leave(e);
        }
        sweeps.swept(System.nanoTime(), more);
    }

    private Documents.Session session() {
        Documents.Session present = session;
        if (present == null) {
            present = documents.connect();
            connected = System.nanoTime();
            soleUser.forget(); // it may be another server's
            session = present;
            if (stopped) {
                present.close();
            }
        }
        return present;
    }

    private void hangUp() {
        Documents.Session present = session;
        session = null;
        if (present != null) {
            try {
                present.close();
            } catch (Throwable e) { // it is of no use any more, and others wait for what comes next
                LOG.debug("A connection did not end well", e);
            }
        }
    }

    /**
     * Ends the worker, whatever it is waiting for; called by any thread. What it uses is closed by a thread that nobody waits
     * for: a driver may have the close wait for the very answer that does not come.
     */
    void stop() {
        stopped = true;
        if (session != null) {
            Thread closing = thread(Thread.currentThread().getName() + "-hangs-up", this::hangUp);
            try {
                closing.start();
            } catch (Throwable e) { // the machine has no thread left
                hangUp();
            }
        }
    }
}
