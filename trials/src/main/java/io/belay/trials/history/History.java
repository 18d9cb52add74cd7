package io.belay.trials.history;

import io.belay.trials.history.Event.Type;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The events of a trial, in the order of time. Immutable. */
public final class History {
    private final List<Event> events;
    private final Map<String, List<Hold>> holds = new TreeMap<>();

    /** Puts these events in order. */
    public History(Collection<Event> events) {
        this.events =
                events.stream().sorted(Comparator.comparingLong(Event::nanos)).toList();
        Map<String, Long> kills = new HashMap<>();
        Map<String, List<Event>> byHold = new LinkedHashMap<>();
        for (Event event : events) {
            if (event.type() == Type.KILL) {
                kills.put(event.process(), event.nanos());
            } else if (event.hold() > 0) {
                byHold.computeIfAbsent(event.process() + "/" + event.hold(), key -> new ArrayList<>())
                        .add(event);
            }
        }
        for (List<Event> life : byHold.values()) {
            Hold hold = hold(life, kills.getOrDefault(life.get(0).process(), Hold.NEVER));
            if (hold.granted() != Hold.NEVER) {
                holds.computeIfAbsent(hold.name(), key -> new ArrayList<>()).add(hold);
            }
        }
        holds.values().forEach(list -> list.sort(Comparator.comparingLong(Hold::granted)));
    }

    /** Reads the histories in a directory. */
    public static History read(Path directory) throws IOException {
        return new History(HistoryFile.readAll(directory));
    }

    /** Reads what the histories in a directory have up to an instant. */
    public static History readUntil(long nanos, Path directory) throws IOException {
        return new History(HistoryFile.readAll(directory).stream()
                .filter(event -> event.nanos() <= nanos)
                .toList());
    }

    /** Returns all events, the earliest first. */
    public List<Event> events() {
        return events;
    }

    /** Returns all events of these types, the earliest first. */
    public List<Event> events(Type first, Type... others) {
        List<Type> types = List.of(others);
        return events.stream()
                .filter(event -> event.type() == first || types.contains(event.type()))
                .toList();
    }

    /** The holds of each lock, in the order in which they were granted. */
    public Map<String, List<Hold>> holds() {
        return holds;
    }

    /** Returns the number of events of a type. */
    public long count(Type type) {
        return events.stream().filter(event -> event.type() == type).count();
    }

    private static Hold hold(List<Event> life, long died) {
        Event first = life.get(0);
        Event grant = first;
        long validUntil = Long.MIN_VALUE;
        long denied = Hold.NEVER;
        for (Event event : life) {
            switch (event.type()) {
                case GRANTED, HELD -> {
                    grant = event.type() == Type.GRANTED ? event : grant;
                    validUntil = Math.max(validUntil, event.value());
                    // One that was unsure, and says so no more, was held all the while.
                    denied = event.nanos() > denied ? Hold.NEVER : denied;
                }
                case NOT_HELD -> denied = Math.min(denied, event.nanos());
                // Also if it is earlier: a process that stands still then names no end any more.
                case MOVED -> validUntil = event.value();
                default -> {}
            }
        }
        return new Hold(
                first.process(),
                first.thread(),
                first.hold(),
                first.name(),
                first.weight(),
                first.capacity(),
                grant.token(),
                first.nanos(),
                earliest(life, Type.GRANTED),
                validUntil,
                earliest(life, Type.RELEASE),
                earliest(life, Type.LOST),
                denied,
                died);
    }

    private static long earliest(List<Event> life, Type type) {
        return life.stream()
                .filter(event -> event.type() == type)
                .mapToLong(Event::nanos)
                .min()
                .orElse(Hold.NEVER);
    }
}
