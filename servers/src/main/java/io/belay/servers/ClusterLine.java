package io.belay.servers;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A node as another, or itself, sees it: a line of CLUSTER NODES. */
record ClusterLine(String id, List<String> flags, List<String> slots) {
    static Stream<ClusterLine> of(RedisServer node) throws IOException {
        return node.command("CLUSTER", "NODES").lines().map(ClusterLine::parse);
    }

    private static ClusterLine parse(String line) {
        String[] words = line.split(" ");
        List<String> slots = Arrays.stream(words, 8, words.length)
                // These are those on the move: [slot->-node].
                .filter(word -> !word.startsWith("["))
                .toList();
        return new ClusterLine(words[0], List.of(words[2].split(",")), slots);
    }

    boolean isSelf() {
        return flags.contains("myself");
    }

    boolean isMaster() {
        return flags.contains("master");
    }

    boolean isReplica() {
        return flags.contains("slave");
    }

    boolean has(int slot) {
        return slots.stream().anyMatch(range -> first(range) <= slot && slot <= last(range));
    }

    /** Returns one of the node's slots. */
    int firstSlot() {
        return first(slots.get(0));
    }

    private static int first(String range) {
        return Integer.parseInt(range.split("-")[0]);
    }

    private static int last(String range) {
        return Integer.parseInt(range.substring(range.indexOf('-') + 1));
    }
}
