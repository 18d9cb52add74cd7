package io.belay.node;

import io.belay.support.Mutex;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The order of what one client asks of one resource, kept where it matters: a service may run what it is sent together
 * in any order. Enters and looks come one after the other, and after the leaves before them; leaves wait for nothing.
 * Thread-safe.
 */
final class PerKeySequencer {
    private final Mutex lock = new Mutex();
    /** The lines of the resources of which anything is under way; guarded by the lock, as is what they hold. */
    private final Map<String, Line> lines = new HashMap<>();

    private static final class Line {
        /** The turns that have not ended, in their order. All leaves are under way, of the others only the first turn. */
        final Set<Turn> turns = new LinkedHashSet<>();

        /** True while a thread begins steps, one after the other: it goes on with what ends meanwhile. */
        boolean isServed;

        @Nullable
        Turn first() {
            return turns.isEmpty() ? null : turns.iterator().next();
        }
    }

    private static final class Turn {
        /** The beginning of a step; null once it is under way. */
        @Nullable
        Runnable begin;
    }

    /** Runs a step once all earlier ones for that resource have ended, at once if they have. */
    <T> CompletionStage<T> take(String resource, Supplier<CompletionStage<T>> step) {
        CompletableFuture<T> told = new CompletableFuture<>();
        Turn turn = new Turn();
        turn.begin = () -> begin(step).whenComplete((result, error) -> {
            if (error == null) {
                told.complete(result);
            } else {
                told.completeExceptionally(error);
            }
            end(resource, turn);
        });
        add(resource, turn);
        serve(resource);
        return told;
    }

    /** Begins a step. One that throws fails so as well, and the next one has its turn. */
    private static <T> CompletionStage<T> begin(Supplier<CompletionStage<T>> step) {
        return CompletableFuture.completedFuture(null).thenCompose(now -> step.get());
    }

    /** Makes later steps for that resource wait for this one, which waits for none. */
    <T> CompletionStage<T> precede(String resource, CompletionStage<T> step) {
        Turn turn = new Turn();
        add(resource, turn);
        step.whenComplete((done, error) -> end(resource, turn));
        return step;
    }

    private void add(String resource, Turn turn) {
        try (var held = lock.hold()) {
            lines.computeIfAbsent(resource, name -> new Line()).turns.add(turn);
        }
    }

    private void end(String resource, Turn turn) {
        try (var held = lock.hold()) {
            Line line = lines.get(resource);
            if (line != null) {
                line.turns.remove(turn);
            }
        }
        serve(resource);
    }

    /** Begins what has its turn: in a loop, as thousands may end at once, and fit on no stack one inside the other. */
    private void serve(String resource) {
        for (Runnable next = next(resource, false); next != null; next = next(resource, true)) {
            next.run();
        }
    }

    /**
     * Returns the beginning of the step whose turn it is; null if there is none, or somebody else sees to it.
     *
     * @param serving whether it is the caller who sees to that resource
     */
    private @Nullable Runnable next(String resource, boolean serving) {
        try (var held = lock.hold()) {
            Line line = lines.get(resource);
            if (line == null || (line.isServed && !serving)) {
                return null;
            }
            Turn first = line.first();
            if (first == null) {
                lines.remove(resource);
                return null;
            }
            Runnable begin = first.begin;
            first.begin = null;
            line.isServed = begin != null;
            return begin;
        }
    }

    /** Returns the number of resources of which anything is under way. */
    int size() {
        try (var held = lock.hold()) {
            return lines.size();
        }
    }
}
