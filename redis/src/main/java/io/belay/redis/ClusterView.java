package io.belay.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The state of a cluster's slots, as the masters tell it, each of itself.
 *
 * @param state a text that is another one when a slot has moved or a master was replaced; empty while a slot moves, and
 *     if one who was asked is no master any more
 * @param complete whether those who were asked have all slots between them, and all that are moving to somebody. Not so while
 *     one is known to some others only, nor while a new master gets its first slot
 */
record ClusterView(String state, boolean complete) {
    private static final Pattern RANGE = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");
    private static final Pattern TARGET = Pattern.compile("\\[\\d+->-(\\w+)]");

    /**
     * Reads the replies of masters to CLUSTER NODES: a line for each node, of which the sender's own counts.
     *
     * @param slots how many slots have a master
     */
    static ClusterView of(List<String> replies, int slots) {
        List<String> states = new ArrayList<>();
        Set<String> asked = new HashSet<>();
        Set<String> targets = new HashSet<>();
        BitSet covered = new BitSet(ClusterSlots.COUNT);
        for (String reply : replies) {
            String state = "";
            for (String line : reply.lines().toList()) {
                String[] parts = line.split(" ", 9); // id, address, flags, master, ping, pong, epoch, link, slots
                if (parts.length >= 8 && parts[2].contains("myself")) {
                    String its = parts.length == 9 ? parts[8] : "";
                    boolean settled = parts[2].contains("master") && its.indexOf('[') < 0;
                    state = settled ? parts[0] + " " + parts[6] + " " + its : "";
                    asked.add(parts[0]);
                    for (Matcher moving = TARGET.matcher(its); moving.find(); ) {
                        targets.add(moving.group(1));
                    }
                    cover(its, covered);
                }
            }
            states.add(state);
        }
        byte[] all = String.join("\n", states).getBytes(StandardCharsets.UTF_8);
        String state = states.contains("") ? "" : UUID.nameUUIDFromBytes(all).toString();
        return new ClusterView(state, asked.containsAll(targets) && covered.cardinality() >= slots);
    }

    private static void cover(String slots, BitSet covered) {
        for (String range : slots.split(" ")) {
            Matcher ends = RANGE.matcher(range);
            if (ends.matches()) {
                int first = Integer.parseInt(ends.group(1));
                int last = ends.group(2) == null ? first : Integer.parseInt(ends.group(2));
                if (first <= last && last < ClusterSlots.COUNT) {
                    covered.set(first, last + 1);
                }
            }
        }
    }

    /** Returns whether nothing has moved from then to now. */
    boolean isAsAt(String then) {
        return !state.isEmpty() && state.equals(then);
    }
}
