package io.belay.walk;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The calls of one walk, in the order in which they were made. */
final class Walk {
    /** A call that was seen: by which thread, and of which class's method, nested classes counting as their outermost. */
    record Call(String thread, String type, String method) {
        String station() {
            return type.substring(type.lastIndexOf('.') + 1) + "." + method;
        }
    }

    /** The clocks, which are read again and again where a debugger makes a reading slow. */
    private static final Set<String> CLOCKS = Set.of("io.belay.internal.time.Time", "io.belay.support.Moment");

    private final boolean keeper;
    private final List<Call> calls = new ArrayList<>();

    /** Makes a walk of the keeper of the first client alone, or of all but keepers, who have something to do meanwhile. */
    Walk(boolean keeper) {
        this.keeper = keeper;
    }

    void add(String thread, String type, String method) {
        String outermost = type.replaceFirst("\\$.*", "");
        boolean generated = method.equals("<clinit>") || type.contains("$$Lambda");
        boolean takesPart = keeper ? thread.equals(Walker.KEEPER) : !thread.startsWith("belay-keeper");
        if (!generated && takesPart && !CLOCKS.contains(outermost)) {
            calls.add(new Call(thread, outermost, method));
        }
    }

    List<Call> calls() {
        return calls;
    }

    /** Returns how many classes are on the way. */
    int classes() {
        return (int) calls.stream().map(Call::type).distinct().count();
    }

    /** Returns how often a thread goes from one class to another. */
    int changes() {
        int changes = 0;
        Map<String, String> last = new HashMap<>();
        for (Call call : calls) {
            String before = last.put(call.thread(), call.type());
            changes += before == null || before.equals(call.type()) ? 0 : 1;
        }
        return changes;
    }

    /** Returns the first of these stations that does not come after those before it; empty if all do. */
    String missing(List<String> stations) {
        int at = 0;
        for (String station : stations) {
            while (at < calls.size() && !calls.get(at).station().equals(station)) {
                at++;
            }
            if (at == calls.size()) {
                return station;
            }
        }
        return "";
    }

    Set<String> threads() {
        Set<String> threads = new HashSet<>();
        calls.forEach(call -> threads.add(call.thread()));
        return threads;
    }
}
