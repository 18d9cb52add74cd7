package io.belay.trials.jsr166;

import io.belay.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A way to use Belay's locks: by how many clients, with which options, in which threads. */
enum Way {
    DEFAULT("default", "one client, and the default options", 1, UnaryOperator.identity()),
    TWO_CLIENTS("two-clients", "two clients, which threads take in turns", 2, UnaryOperator.identity()),
    NO_BARGING("no-barging", "one client, withBarging(false)", 1, options -> options.withBarging(false)),
    STICKY("sticky", "one client, withSticky(1 min)", 1, Way::sticky),
    STICKY_TWO_CLIENTS("sticky-two-clients", "two clients, withSticky(1 min)", 2, Way::sticky),
    VIRTUAL("virtual", "one client, and all threads are virtual", 1, UnaryOperator.identity());

    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    private final String title;
    private final String words;
    private final int clients;
    private final UnaryOperator<LockOptions> options;

    Way(String title, String words, int clients, UnaryOperator<LockOptions> options) {
        this.title = title;
        this.words = words;
        this.clients = clients;
        this.options = options;
    }

    private static LockOptions sticky(LockOptions options) {
        return options.withSticky(Duration.ofMinutes(1));
    }

    String title() {
        return title;
    }

    /** Says what is done in this way. */
    String words() {
        return words;
    }

    int clients() {
        return clients;
    }

    UnaryOperator<LockOptions> options() {
        return options;
    }

    boolean isVirtual() {
        return this == VIRTUAL;
    }

    /** Returns whether a test can tell this way from the default one: permits and latches know neither of these options. */
    boolean matters(JdkTest test) {
        boolean locks = test != JdkTest.SEMAPHORE && test != JdkTest.LATCH;
        return locks || !List.of(NO_BARGING, STICKY, STICKY_TWO_CLIENTS).contains(this);
    }

    /** Says what this Java lacks; empty if the tests can be run in this way. */
    Optional<String> whyNot() {
        return isVirtual() && Runtime.version().feature() < FIRST_WITH_VIRTUAL_THREADS
                ? Optional.of("Java " + Runtime.version().feature() + " has no virtual threads: set JAVA_HOME to a JDK "
                        + FIRST_WITH_VIRTUAL_THREADS + " or later")
                : Optional.empty();
    }

    static Optional<Way> of(String title) {
        return Stream.of(values()).filter(one -> one.title.equals(title)).findFirst();
    }

    static List<String> titles() {
        return Stream.of(values()).map(Way::title).toList();
    }
}
