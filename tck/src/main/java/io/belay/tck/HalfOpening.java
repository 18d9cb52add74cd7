package io.belay.tck;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/**
 * A way in which connections become half-open: the store's side of those that there are ends, of which the clients hear
 * nothing, while new connections work.
 *
 * @param what which of them
 * @param happen does it, and returns how many connections that were
 */
public record HalfOpening(String what, IntSupplier happen) {
    /**
     * Returns the ways of a store of so many members: of one, of a majority, and of all, beginning with another member each
     * time.
     *
     * @param members what ends one member's side of its connections, and returns how many these were
     */
    public static List<HalfOpening> of(List<IntSupplier> members) {
        int size = members.size();
        AtomicInteger turn = new AtomicInteger();
        return IntStream.of(1, size / 2 + 1, size)
                .distinct()
                .mapToObj(count -> new HalfOpening(count + " of " + size, () -> some(members, turn, count)))
                .toList();
    }

    private static int some(List<IntSupplier> members, AtomicInteger turn, int count) {
        int first = turn.getAndIncrement();
        return IntStream.range(first, first + count)
                .map(i -> members.get(i % members.size()).getAsInt())
                .sum();
    }
}
