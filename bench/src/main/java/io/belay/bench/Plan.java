package io.belay.bench;

import io.belay.bench.cases.Case;
import io.belay.bench.lead.WarmUp;
import io.belay.bench.library.Checkout;
import io.belay.bench.library.Library;
import io.belay.bench.library.OtherBuildLibrary;
import io.belay.bench.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The plan of a run.
 *
 * @param store the store
 * @param cases the cases to measure
 * @param libraries the libraries to measure, where a case has them
 * @param rounds how many rounds each library has in a case
 * @param time how long each round measures
 */
record Plan(Store store, List<Case> cases, List<Library> libraries, int rounds, Duration time) {
    static final int ROUNDS = 5;
    static final int SECONDS = 4;

    private static final Duration LEAST_FIRST_WARM_UP = Duration.ofSeconds(3);
    private static final Duration LONGEST_FIRST_WARM_UP = Duration.ofSeconds(20);
    private static final Duration WARM_UP = Duration.ofMillis(500);

    /** Returns the libraries that take turns in a case, in their order. */
    List<Library> of(Case task) {
        return of(task, libraries).toList();
    }

    static Stream<Library> of(Case task, List<Library> libraries) {
        return libraries.stream().filter(library -> task.libraries().contains(library.listedName()));
    }

    /** Returns the other build of Belay that takes part, if one does. */
    Optional<Checkout> other() {
        return libraries.stream()
                .flatMap(library -> library instanceof OtherBuildLibrary other ? Stream.of(other.build()) : Stream.of())
                .findFirst();
    }

    int rounds(Case task) {
        // Beside another build, one round would not tell how much of a difference is chance.
        return task.once() && other().isEmpty() ? 1 : rounds;
    }

    /** Returns the warm-up: a long first one for the compiler, whose work stays; then short ones to get going again. */
    WarmUp warmUp(Case task, int round) {
        boolean full = time.compareTo(LEAST_FIRST_WARM_UP) >= 0;
        if (round == 0 && full && !task.once()) {
            return new WarmUp(LEAST_FIRST_WARM_UP, LONGEST_FIRST_WARM_UP);
        }
        Duration longest = round == 0 ? LEAST_FIRST_WARM_UP : WARM_UP;
        Duration brief = time.compareTo(longest) < 0 ? time : longest;
        return new WarmUp(brief, brief);
    }

    /** Returns how much of a large number to do, from 0 to 1. */
    double scale() {
        return Math.min(1, time.toMillis() / 1e3 / SECONDS);
    }
}
