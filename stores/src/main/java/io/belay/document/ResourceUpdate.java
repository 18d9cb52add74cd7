package io.belay.document;

import io.belay.document.States.State;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import io.belay.spi.Store;
import io.belay.spi.Store.Snapshot;
import io.belay.spi.StoreException;
import io.belay.support.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The work on one resource in one step: all that was asked of it, done by the reference model. */
final class ResourceUpdate {
    final ResourceQueue queue;
    private final List<Operation> asked;
    private boolean again;
    private long pause;
    private boolean unread;
    private boolean failed;
    /** True once its change may be written. */
    private boolean sent;

    private Documents.@Nullable Found found;
    private State before = State.NONE;
    private State after = State.NONE;
    private long time;
    /** The last reading's time, and an instant before it. */
    private long readTime;

    private Moment readAt = Moment.now();
    private final List<Answer> answers = new ArrayList<>();
    private final List<Documents.Call> calls = new ArrayList<>(0);
    /** True if this client wants what another of its claims has. */
    private boolean wanted;

    private boolean over;

    ResourceUpdate(ResourceQueue queue, List<Operation> asked) {
        this.queue = queue;
        this.asked = asked;
    }

    /** Does what was asked to what is known without a reading; returns whether that will do. */
    boolean runUnread(SoleUserCache.Known known, long client) {
        boolean simple = !asked.isEmpty()
                && asked.stream()
                        .allMatch(pending -> pending instanceof Operation.Ask ask
                                && (ask.request() instanceof Request.Enter || ask.request() instanceof Request.Leave));
        if (simple) {
            run(known.found(), known.now(), known.at(), client);
            readTime = known.time();
            unread = true;
        }
        // What is not written is not found out to be untrue, nor is a time that is reckoned ahead of the database's.
        return simple && isChange() && !endsAnother();
    }

    /** Returns whether a claim is over by now that nobody asked to end. */
    private boolean endsAnother() {
        return before.resource().claims().stream()
                .anyMatch(claim -> claim.deadline() <= time
                        && requests()
                                .noneMatch(request -> request instanceof Request.Leave leave
                                        && leave.id().equals(claim.id())));
    }

    private Stream<Request> requests() {
        return asked.stream()
                .filter(Operation.Ask.class::isInstance)
                .map(pending -> ((Operation.Ask) pending).request());
    }

    /**
     * Does what was asked to what was read, as far as that is a resource.
     *
     * @param at an instant before the reading
     */
    void run(Documents.@Nullable Found read, long now, Moment at, long client) {
        found = read;
        time = now;
        readTime = now;
        readAt = at;
        unread = false;
        sent = false;
        queue.readTime = now;
        queue.readAt = at;
        answers.clear();
        calls.clear();
        wanted = false;
        try {
            before = read == null ? State.NONE : States.decode(queue.resource, read.state());
        } catch (StoreException e) {
            fail(e);
            return;
        }
        Resource resource = before.resource();
        queue.contention.read(version(), now - resource.last());
        long wantedAt = before.wanted();
        for (Operation pending : asked) {
            if (pending instanceof Operation.Ask ask) {
                Step step = ask.request().applyTo(resource, time);
                resource = step.next();
                answers.add(step.answer());
                step.pushes(queue.resource).forEach(push -> call(push.id().client(), client));
                for (Claim keeper : step.wanted()) {
                    if (keeper.id().client() == client) {
                        wanted = true;
                    } else {
                        wantedAt = Math.max(before.wanted() + 1, time);
                    }
                }
            }
        }
        boolean same = resource == before.resource() && wantedAt == before.wanted();
        after = same ? before : new State(resource, wantedAt);
    }

    private void call(long owner, long client) {
        if (owner != client && owner != ClaimId.NOBODY) {
            calls.add(new Documents.Call(owner, queue.resource));
        }
    }

    /** Returns what is to be known of the resource once it is written; null if another client has something there. */
    SoleUserCache.@Nullable Known soleUser(Documents.Change change, long client) {
        for (Claim claim : after.resource().claims()) {
            if (claim.id().client() != client) {
                return null;
            }
        }
        return new SoleUserCache.Known(new Documents.Found(change.version(), change.state()), readTime, readAt);
    }

    long time() {
        return time;
    }

    /** Returns the version that was read; 0 for none. */
    private long version() {
        return found == null ? 0 : found.version();
    }

    /** Returns whether those who asked have been told, or the job is to be done again. */
    boolean isOver() {
        return over;
    }

    boolean isChange() {
        return !over && (after != before || isReserved());
    }

    /** Returns whether this client has reserved the document: to write it ends that, though it stays as it is. */
    private boolean isReserved() {
        return queue.contention.isReservedBy(version());
    }

    Documents.Change change(long version) {
        sent = true;
        return new Documents.Change(
                queue.resource,
                version(),
                version,
                States.encode(after),
                after.resource().forgettableFrom());
    }

    /** Ends the job: tells those who asked, and owners of claims what else became of these. Returns whom to call. */
    List<Documents.Call> succeed(Store.Listener listener) {
        if (over) {
            return List.of();
        }
        over = true;
        queue.contention.over();
        State seen = queue.seen;
        wanted |= seen != null && seen.wanted() != after.wanted();
        queue.seen = after;
        int next = 0;
        for (Operation pending : asked) {
            if (pending instanceof Operation.Ask ask) {
                Answer answer = answers.get(next++);
                if (ask.request() instanceof Request.OfClaim request) {
                    queue.own.told(request.id(), answer);
                }
                ask.answer().complete(answer);
            } else if (pending instanceof Operation.Inspect inspect) {
                Resource resource = after.resource();
                Optional<Resource> state = resource == Resource.UNUSED ? Optional.empty() : Optional.of(resource);
                inspect.snapshot().complete(Snapshot.of(time, state));
            }
        }
        queue.own.news(after.resource(), time, wanted).forEach(listener::pushed);
        int news = queue.own.situation(after);
        queue.unchanged = news == queue.news ? queue.unchanged + 1 : 0;
        queue.news = news;
        return calls;
    }

    /** Returns whether others wait for what is asked: a release, or that a lease does not end. */
    boolean isUrgent() {
        return requests().anyMatch(request -> request instanceof Request.Leave || request instanceof Request.Renew);
    }

    /** Asks the other clients to step back for that long, in nanoseconds, unless one of them has asked for the same. */
    void reserve(Documents.Session session, long nanos) {
        long now = queue.readTime + TimeUnit.NANOSECONDS.toMicros(queue.readAt.ago());
        long version = Reservation.until(now + TimeUnit.NANOSECONDS.toMicros(nanos));
        if (session.reserve(queue.resource, version, Reservation.over(now))) {
            queue.contention.reserved(version);
        }
    }

    /**
     * Returns for how long another client has reserved the resource, in nanoseconds; 0 if none has, or if a lease of this client
     * could end while it steps back, as nothing is renewed meanwhile.
     */
    long reservedByOthers() {
        long left = isReserved() ? 0 : Reservation.left(version(), time);
        long instant = time + 2 * TimeUnit.NANOSECONDS.toMicros(left);
        return left > 0 && queue.own.isAnyOver(before.resource(), instant) ? 0 : left;
    }

    /** Steps back, as another client has reserved the resource: the job is to be done again after a while. */
    void stepBack(long reserved) {
        over = true;
        again = true;
        pause = Contention.stepBack(reserved);
    }

    /** Has the job done again by itself. */
    void goApart() {
        over = true;
        again = true;
        queue.contention.goApart();
    }

    /** Has the job done again, as another client was quicker: after a moment, with what is asked meanwhile. */
    void retry() {
        if (unread) {
            over = true;
            again = true; // now by a reading
        } else if (queue.contention.refused()) {
            over = true;
            again = true;
            pause = queue.contention.pause(isUrgent());
        } else {
            fail(StoreException.unreachable(
                    "the database refused to change '" + queue.resource + "' " + Contention.ATTEMPTS
                            + " times in a row, as others changed it",
                    null));
        }
    }

    void fail(RuntimeException error) {
        if (!over) {
            over = true;
            failed = true;
            queue.contention.over();
            asked.forEach(pending -> pending.fail(error));
        }
    }

    /** Returns whether its change may have been written since it was read. */
    boolean isSent() {
        return sent;
    }

    /** Fails the job, and has its resource done by itself the next time, so that it holds up no other. */
    void failApart(RuntimeException error) {
        queue.contention.goApart();
        fail(error);
    }

    /** Returns whether what the job ends may be gone, as the change may have been written: it would then seem to be lost. */
    boolean mayHaveEnded() {
        return sent
                && requests()
                        .anyMatch(request -> request instanceof Request.Leave
                                || request instanceof Request.Evict
                                || request instanceof Request.Resize);
    }

    /** Returns whether the job may be done twice: what was released, for example, would then seem to have been lost. */
    boolean isRepeatable() {
        return requests().allMatch(request -> request instanceof Request.Renew || request instanceof Request.Describe);
    }

    /** Returns what is to be asked once more. */
    List<Operation> again() {
        return again ? asked : List.of();
    }

    boolean isToLookAgain() {
        return again;
    }

    /** Returns how long to wait before that, in nanoseconds. */
    long pause() {
        return pause;
    }

    /** Returns whether the job has failed, though something of this client's may be there. */
    boolean isLeftOpen() {
        return failed && !queue.own.isEmpty();
    }

    /** Returns in how many microseconds from the reading the next granted claim expires; not positive if none does. */
    long nextExpiry() {
        return after.resource().holders().stream()
                        .mapToLong(Claim::deadline)
                        .min()
                        .orElse(0)
                - time;
    }

    /** Returns after how many turns of others a claim of this client may be granted or have to let go; 0 if none. */
    int turnsAhead() {
        return queue.own.turnsAhead(after.resource());
    }
}
