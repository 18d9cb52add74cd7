package io.belay.trials.check;

import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The waits for each lock, what happened to those who waited, and when the machine let nobody run. */
final class Waits {
    /** The beginnings of the names of strikes after which a client hears nothing for a while; the client follows. */
    private static final List<String> SILENCED = List.of("lose-replies-of-", "half-open-of-");

    /** A wait, from its begin until its end in one way or another; with a limit it may have ended in vain. */
    record Wait(String process, long from, long to, boolean inVain) {}

    private final Map<String, List<Wait>> waits = new HashMap<>();
    private final Map<String, NavigableMap<Long, Type>> strikes = new HashMap<>();
    /** The silences of clients, by their numbers. */
    private final Map<String, NavigableMap<Long, Type>> silences = new HashMap<>();
    /** The standstills of processes, in the order in which they began. */
    private final List<Event> stalls;

    Waits(History history) {
        Map<String, Event> open = new HashMap<>();
        for (Event event : history.events()) {
            String key = event.process() + "/" + event.hold();
            switch (event.type()) {
                case ASK -> open.put(key, event);
                case GRANTED, REFUSED, UNKNOWN -> {
                    Event ask = open.remove(key);
                    if (ask != null) {
                        add(ask, event.nanos(), event.type() == Type.REFUSED);
                    }
                }
                case PAUSE, RESUME, KILL ->
                    strikes.computeIfAbsent(event.process(), process -> new TreeMap<>())
                            .put(event.nanos(), event.type());
                // A client that hears nothing is as good as stopped for all who wait behind it.
                case STRIKE -> silenced(event, Type.PAUSE);
                case CALM -> silenced(event, Type.RESUME);
                default -> {}
            }
        }
        stalls = new ArrayList<>(history.events(Type.STALL));
        stalls.sort(Comparator.comparingLong(Event::value));
        open.values().forEach(ask -> add(ask, Long.MAX_VALUE, false));
    }

    private void silenced(Event event, Type as) {
        for (String silenced : SILENCED) {
            if (event.name().startsWith(silenced)) {
                silences.computeIfAbsent(event.name().substring(silenced.length()), client -> new TreeMap<>())
                        .put(event.nanos(), as);
            }
        }
    }

    private void add(Event ask, long to, boolean inVain) {
        waits.computeIfAbsent(ask.name(), name -> new ArrayList<>())
                .add(new Wait(ask.process(), ask.nanos(), to, inVain));
    }

    /** Returns when processes that waited were stopped or killed between two instants, and the second of these. */
    SortedSet<Long> strikes(String name, long from, long to) {
        SortedSet<Long> found = new TreeSet<>(List.of(to));
        for (Wait wait : waits.getOrDefault(name, List.of())) {
            long begin = Math.max(wait.from(), from);
            long end = Math.min(wait.to(), to);
            if (begin >= end) {
                continue;
            }
            for (Map.Entry<Long, Type> one :
                    struck(wait.process()).subMap(begin, false, end, true).entrySet()) {
                if (one.getValue() != Type.RESUME) {
                    found.add(one.getKey());
                }
            }
        }
        return found;
    }

    /**
     * Returns the waits up to an instant, or in vain for a part of the time before it, whose processes were not struck since
     * another, or since the wait began.
     */
    List<Wait> undisturbed(String name, long from, long to) {
        return waits.getOrDefault(name, List.of()).stream()
                .filter(wait -> wait.from() < to && (wait.to() >= to || (wait.inVain() && wait.to() > from)))
                .filter(wait -> !isDisturbed(wait.process(), Math.max(wait.from(), from), Math.min(wait.to(), to)))
                .toList();
    }

    boolean isDisturbed(String process, long from, long to) {
        Map.Entry<Long, Type> before = struck(process).floorEntry(from);
        return !struck(process).subMap(from, true, to, false).isEmpty()
                || (before != null && before.getValue() != Type.RESUME);
    }

    private NavigableMap<Long, Type> struck(String process) {
        NavigableMap<Long, Type> all = new TreeMap<>(strikes.getOrDefault(process, new TreeMap<>()));
        int client = process.indexOf('.');
        if (client > 0) {
            all.putAll(silences.getOrDefault(process.substring(0, client), new TreeMap<>()));
        }
        return all;
    }

    /**
     * Returns for how long between two instants any process stood still though nothing was done to it. The servers
     * stood still as well, for all that is known, so this method does not ask for one process alone.
     */
    long stalled(long from, long to) {
        long until = from;
        long sum = 0;
        for (Event stall : stalls) {
            long end = Math.min(stall.nanos(), to);
            long begin = Math.max(stall.value(), until);
            if (begin < end && !isDisturbed(stall.process(), stall.value(), stall.nanos())) {
                sum += end - begin;
                until = end;
            }
        }
        return sum;
    }
}
