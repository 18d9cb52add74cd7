package io.belay.trials.check;

import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import java.util.ArrayList;
import java.util.List;

/** A history written by hand: times in milliseconds, one lock of a name. */
final class Story {
    private static final long MILLI = 1_000_000;

    private final List<Event> events = new ArrayList<>();
    private String name = "x";
    private int capacity = 1;

    Story lock(String other, int room) {
        name = other;
        capacity = room;
        return this;
    }

    /** A hold that asks one millisecond before it has the lock. */
    Story grant(long at, String process, long hold, long token, long until) {
        return grant(at - 1, at, process, hold, 1, token, until);
    }

    Story grant(long asked, long at, String process, long hold, int weight, long token, long until) {
        add(asked, process, Type.ASK, hold, weight, -1, 0);
        return add(at, process, Type.GRANTED, hold, weight, token, until * MILLI);
    }

    Story held(long at, String process, long hold, long until) {
        return add(at, process, Type.HELD, hold, 1, 0, until * MILLI);
    }

    /** The end of a hold is moved to that instant. */
    Story moved(long at, String process, long hold, long until) {
        return add(at, process, Type.MOVED, hold, 1, 0, until * MILLI);
    }

    /** A release one millisecond before the answer, after which nobody is to have the lock until that instant. */
    Story kept(long at, String process, long hold, long until) {
        return then(at - 1, process, Type.RELEASE, hold)
                .then(at, process, Type.RELEASED, hold)
                .add(at, process, Type.KEPT, hold, 1, 0, until * MILLI);
    }

    Story then(long at, String process, Type type, long hold) {
        return add(at, process, type, hold, 1, 0, 0);
    }

    Story strike(long at, String what) {
        events.add(new Event(at * MILLI, "-", 0, Type.STRIKE, 0, what, 0, 0, 0, 0));
        return this;
    }

    /** What was begun by a strike is over. */
    Story calm(long at, String what) {
        events.add(new Event(at * MILLI, "-", 0, Type.CALM, 0, what, 0, 0, 0, 0));
        return this;
    }

    /** The process threw something of this class. */
    Story threw(long at, String process, Class<? extends Throwable> what) {
        events.add(new Event(at * MILLI, process, 0, Type.DEFECT, 0, what.getName(), 0, 0, 0, 0));
        return this;
    }

    /** The process did not run from one instant to the other. */
    Story stall(long from, long to, String process) {
        events.add(new Event(to * MILLI, process, 0, Type.STALL, 0, "-", 0, 0, 0, from * MILLI));
        return this;
    }

    /** The store still has so many claims of the lock, or a record for so many milliseconds. */
    Story left(int claims, long millis) {
        events.add(new Event(0, "-", 0, Type.LEFT, 0, name, claims, 0, 0, millis));
        return this;
    }

    /** What the store keeps of the lock has so many bytes. */
    Story record(int claims, long bytes) {
        events.add(new Event(0, "-", 0, Type.RECORD, 0, name, claims, 0, 0, bytes));
        return this;
    }

    Story write(long from, long to, String process, long hold, long token, long value) {
        add(from, process, Type.GUARDED_WRITE, hold, 1, token, value);
        return add(to, process, Type.GUARDED_WRITTEN, hold, 1, token, value);
    }

    Story unguarded(long at, String process, long hold, long value) {
        return add(at, process, Type.WRITTEN, hold, 1, 0, value);
    }

    private Story add(long at, String process, Type type, long hold, int weight, long token, long value) {
        events.add(new Event(at * MILLI, process, 0, type, hold, name, weight, capacity, token, value));
        return this;
    }

    History history() {
        return new History(events);
    }

    /** What a check finds in it. */
    List<Violation.Rule> rules(Check check) {
        return check.of(history()).stream().map(Violation::rule).toList();
    }
}
