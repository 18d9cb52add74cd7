package io.belay.internal.claim;

import io.belay.internal.machine.Stay;
import io.belay.internal.time.Timers;
import io.belay.support.Mutex;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The enters of a client that wait inside it, by resource, in the order in which they came.
 *
 * <p>While an enter that was given up is not answered, the client's next one of that resource waits. So however long a store is
 * silent, and however many waiters give up meanwhile, the store finds little to do when it answers again, and little is left
 * behind there.
 *
 * <p>Where each caller has a claim of its own no more than {@link #MOST} of their enters are under way at a time. So however many
 * come at once, the store, which reads all who wait for each that enters, answers every one in time.
 *
 * <p>What need not wait any more is sent by the timers. Thread-safe; whatever fails may be called again.
 */
public final class Backlog {
    /**
     * The most enters of one resource that are under way at a time: as few as keep the store busy, so that their answers come in time
     * also where it is slow, and those who are let in give back before all others have come.
     */
    public static final int MOST = 16;

    private final Engine engine;
    private final Mutex lock = new Mutex();
    /** Changed under the lock, as all that is in it. */
    final ConcurrentHashMap<String, Enters> byResource = new ConcurrentHashMap<>();

    Backlog(Engine engine) {
        this.engine = engine;
    }

    /** Notes a claim whose enter was given up. */
    public void add(Stay stay) {
        change(stay, its -> its.givenUp.add(stay));
    }

    /**
     * Returns whether a claim's enter is to wait; its owner is told when it need not any more.
     *
     * @param alone whether its caller shares it with nobody
     */
    public boolean delays(ClaimOwner owner, Stay stay, boolean alone) {
        if (!alone && !byResource.containsKey(stay.resource)) {
            return false;
        }
        try (var held = lock.hold()) {
            Enters its = of(stay);
            Map<Stay, Timers.Timer> line = alone ? its.crowd : its.others;
            boolean delays = !(line.isEmpty() && its.mayGo(alone));
            if (delays) {
                line.put(stay, Timers.Timer.of(() -> {
                    owner.step(machine -> machine.sendDelayed(stay));
                    change(stay, sent -> sent.crowd.remove(stay)); // who comes now may go at once
                }));
            } else if (alone) {
                its.underWay.add(stay);
            }
            its.settle(stay.resource);
            return delays;
        }
    }

    /** The enter of a claim was answered; {@code waits} if others have what it wants. */
    public void answered(Stay stay, boolean waits) {
        change(stay, its -> {
            if (its.underWay.remove(stay) && waits) {
                its.lastBehind = engine.claimNumbers.get();
            }
            its.crowd.remove(stay);
        });
    }

    /** Forgets a claim that has ended, or whose enter does not count as given up any more. */
    public void forget(Stay stay) {
        if (byResource.containsKey(stay.resource)) {
            change(stay, its -> {
                its.others.remove(stay);
                its.crowd.remove(stay);
                its.underWay.remove(stay);
                its.givenUp.remove(stay);
            });
        }
    }

    /** Returns whether others of this client were told to wait since the enter of a claim waits behind them. */
    public boolean isBehindOthers(Stay stay) {
        try (var held = lock.hold()) {
            Enters its = byResource.get(stay.resource);
            return its != null && its.crowd.containsKey(stay) && !stay.isSent() && stay.id.number() <= its.lastBehind;
        }
    }

    private Enters of(Stay stay) {
        return byResource.computeIfAbsent(stay.resource, any -> new Enters());
    }

    /** Notes what has become of a claim's enter, and has those sent that may go now. */
    private void change(Stay stay, Consumer<Enters> change) {
        try (var held = lock.hold()) {
            Enters its = of(stay);
            change.accept(its);
            its.settle(stay.resource);
        }
    }

    /** The enters of one resource. */
    final class Enters {
        /** The claims whose enters were given up, and are not answered. */
        private final Set<Stay> givenUp = new HashSet<>();
        /** The claims whose enters are under way, and of which there may be many. */
        private final Set<Stay> underWay = new HashSet<>();
        /** What sends each of those of which there may be many; it stays until it has: who comes goes behind it. */
        private final Map<Stay, Timers.Timer> crowd = new LinkedHashMap<>();
        /** What sends each of the others; it leaves the line as it is set. */
        private final Map<Stay, Timers.Timer> others = new LinkedHashMap<>();
        /** The client's last claim when one of those under way was told to wait: all up to that are behind others. */
        private long lastBehind;

        private boolean mayGo(boolean alone) {
            return givenUp.isEmpty() && !(alone && underWay.size() >= MOST);
        }

        /** Has those sent that may go, and forgets the resource if nothing is known of it. */
        private void settle(String resource) {
            send(others, false);
            send(crowd, true);
            if (givenUp.isEmpty() && underWay.isEmpty() && crowd.isEmpty() && others.isEmpty()) {
                byResource.remove(resource);
            }
        }

        private void send(Map<Stay, Timers.Timer> line, boolean alone) {
            for (var each = line.entrySet().iterator(); each.hasNext() && mayGo(alone); ) {
                Map.Entry<Stay, Timers.Timer> next = each.next();
                if (!underWay.contains(next.getKey())) {
                    engine.timers.schedule(next.getValue(), engine.time.nanos());
                }
                if (alone) { // behind that: what fails is done again
                    underWay.add(next.getKey());
                } else {
                    each.remove();
                }
            }
        }
    }
}
