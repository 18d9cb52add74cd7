package io.belay.memory;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import io.belay.spi.Store;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.LongSupplier;

/** The resources of one name, shared by all clients of this JVM that opened it: the reference model in a map. */
final class MemorySpace {
    /** The id of no claim, for a request that only expires what is over. */
    private static final ClaimId NONE = ClaimId.of(ClaimId.NOBODY, 0);

    private record Empty(String resource, long until) {}

    private static final long NANOS_AT_START = System.nanoTime();
    private static final long MICROS_AT_START = System.currentTimeMillis() * 1000;

    /** The clock of this process, in microseconds. */
    static final LongSupplier CLOCK = () -> MICROS_AT_START + (System.nanoTime() - NANOS_AT_START) / 1000;

    private final LongSupplier clock;
    private final ConcurrentHashMap<String, Resource> resources = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Long, Store.Listener> listeners = new ConcurrentHashMap<>();
    /** Resources that became empty, each once, in the order in which they are to be looked at again. */
    private final Queue<Empty> empty = new ConcurrentLinkedQueue<>();

    /** Resources with a claim that nobody renews, or whose end was fixed: its client may not speak of it again. */
    private final Queue<Empty> ending = new PriorityBlockingQueue<>(11, Comparator.comparingLong(Empty::until));

    /** The names of the resources in {@code empty}. */
    final Set<String> queued = ConcurrentHashMap.newKeySet();

    /** Makes an empty space whose clock counts microseconds and never goes back. */
    MemorySpace(LongSupplier clock) {
        this.clock = clock;
    }

    void join(long client, Store.Listener listener) {
        listeners.put(client, listener);
    }

    /** Takes a client's listener out; returns whether none is left. */
    boolean part(long client) {
        listeners.remove(client);
        return listeners.isEmpty();
    }

    int size() {
        return resources.size();
    }

    Store.Snapshot inspect(String name) {
        return Store.Snapshot.of(clock.getAsLong(), Optional.ofNullable(resources.get(name)));
    }

    Store.NamePage names(String prefix) {
        forget(clock.getAsLong());
        return Store.NamePage.last(resources.keySet().stream()
                .filter(name -> name.startsWith(prefix))
                .toList());
    }

    /** Runs a request; {@code forgets} what is over behind it, which is not to be done in the course of doing so. */
    Answer run(Request request, boolean forgets) {
        String resource = request.resource();
        Step[] taken = new Step[1];
        Resource after = resources.compute(resource, (name, before) -> {
            Resource state = before == null ? Resource.UNUSED : before;
            Step step = request.applyTo(state, clock.getAsLong());
            taken[0] = step;
            Resource next = step.next();
            return next == Resource.UNUSED ? null : next;
        });
        Step step = taken[0];
        Answer answer = step.answer();
        List<Push> pushes = step.pushes(resource);
        if (after != null && after.claims().isEmpty() && queued.add(resource)) {
            empty.add(new Empty(resource, after.keepUntil()));
        }
        if ((request instanceof Request.Fix fix && answer.reweights() > fix.reweights())
                || (request instanceof Request.Enter enter && isNotRenewed(enter) && answer.deadline() > 0)) {
            ending.add(new Empty(resource, answer.deadline() + Resource.MEMORY));
        }
        if (forgets) {
            forget(answer.time());
        }
        pushes.forEach(this::push);
        return answer;
    }

    private static boolean isNotRenewed(Request.Enter enter) {
        return enter.owner().lease() == 0 && enter.spec().fixedLease() == 0; // of which a fix will tell the end
    }

    private void forget(long now) {
        for (Empty first = ending.peek(); first != null && first.until() < now; first = ending.peek()) {
            if (ending.remove(first)) {
                run(Request.Skip.of(first.resource(), NONE, 0), false);
            }
        }
        for (Empty first = empty.peek(); first != null && first.until() < now; first = empty.peek()) {
            if (empty.remove(first)) {
                lookAgain(first.resource(), now);
            }
        }
    }

    private void lookAgain(String name, long now) {
        queued.remove(name);
        Resource kept =
                resources.computeIfPresent(name, (key, resource) -> resource.isForgettable(now) ? null : resource);
        // One whose capacity was set is never forgotten as it is: what changes that is a request, which queues it.
        if (kept != null && kept.claims().isEmpty() && !kept.resized() && queued.add(name)) {
            empty.add(new Empty(name, Math.max(kept.keepUntil(), now)));
        }
    }

    private void push(Push push) {
        Store.Listener listener = listeners.get(push.id().client());
        if (listener != null) {
            listener.pushed(push);
        }
    }
}
