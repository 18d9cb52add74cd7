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
 * What is to be measured.
 *
 * @param store on which store
 * @param cases which cases
 * @param libraries which libraries, where a case has them
 * @param rounds how many rounds each has
 * @param time how long each round measures
 */
record Plan(Store store, List<Case> cases, List<Library> libraries, int rounds, Duration time) {
    static final int ROUNDS = 5;
    static final int SECONDS = 4;

    private static final Duration LEAST_FIRST_WARM_UP = Duration.ofSeconds(3);
    private static final Duration LONGEST_FIRST_WARM_UP = Duration.ofSeconds(20);
    private static final Duration WARM_UP = Duration.ofMillis(500);

    /** Those that are to take turns in a case, in their order. */
    List<Library> of(Case task) {
        return of(task, libraries).toList();
    }

    static Stream<Library> of(Case task, List<Library> libraries) {
        return libraries.stream().filter(library -> task.libraries().contains(library.listedName()));
    }

    /** The other build of Belay that takes part. */
    Optional<Checkout> other() {
        return libraries.stream()
                .flatMap(library -> library instanceof OtherBuildLibrary other ? Stream.of(other.build()) : Stream.of())
                .findFirst();
    }

    int rounds(Case task) {
        // Beside another build, one round would not tell how much of a difference is chance.
        return task.once() && other().isEmpty() ? 1 : rounds;
    }

    /** Once for the compiler, which keeps its work for the later rounds; then only to get going again. */
    WarmUp warmUp(Case task, int round) {
        boolean full = time.compareTo(LEAST_FIRST_WARM_UP) >= 0;
        if (round == 0 && full && !task.once()) {
            return new WarmUp(LEAST_FIRST_WARM_UP, LONGEST_FIRST_WARM_UP);
        }
        Duration longest = round == 0 ? LEAST_FIRST_WARM_UP : WARM_UP;
        Duration brief = time.compareTo(longest) < 0 ? time : longest;
        return new WarmUp(brief, brief);
    }

    /** How much of a large number to do. */
    double scale() {
        return Math.min(1, time.toMillis() / 1e3 / SECONDS);
    }
}
