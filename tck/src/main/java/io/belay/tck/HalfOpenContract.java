package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.ClientClosedException;
import io.belay.ConnectMode;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of clients whose connections are half-open: the store's side has ended, and they have not heard of it. */
abstract class HalfOpenContract extends TwoClients {
    /** The time in which connections are closed, beyond the request timeout: so {@link Belay#close()} says. */
    private static final Duration CLOSING = Duration.ofSeconds(2);

    /** So many that each of three members is asked, and one of them twice. */
    private static final int FREE = 4;

    private Line line;

    @BeforeEach
    void line() {
        assumeTrue(spec.line().isPresent(), "the store offers no line whose connections a test knows");
        line = spec.line().orElseThrow();
        assumeTrue(!line.halfOpenings().isEmpty(), "the line cannot lose one side of a connection");
    }

    static IntStream rounds() {
        return IntStream.rangeClosed(1, Integer.getInteger("belay.halfopen", 1));
    }

    @ParameterizedTest
    @MethodSource("rounds")
    void holdsAndWaitsOutliveConnectionsThatAreHalfOpen(int round) throws Exception {
        for (HalfOpening opening : line.halfOpenings()) {
            try (Belay far = connectFar(opening)) {
                String figures = outlive(far, opening) + ", " + closeInTime(far, opening);
                System.out.printf(
                        "half-open, %s of %s, round %d: %s%n",
                        opening.what(), spec.url().split("//", 2)[0], round, figures);
            }
        }
    }

    private Belay connectFar(HalfOpening opening) {
        BelayOptions options = BelayOptions.defaults()
                .withClientName(opening.what())
                .withLockDefaults(options())
                .withRequestTimeout(line.requestTimeout())
                .withConnectMode(ConnectMode.LATER); // that time is for requests, not for a busy machine's connections
        Belay far = line.connect(options);
        awaitAnswer(far);
        return far;
    }

    private static DistributedLock lock(Belay client, HalfOpening opening, String name, LockOptions options) {
        return client.lock(opening.what() + " " + name, options);
    }

    private static void happen(HalfOpening opening) {
        assertThat(opening.happen().getAsInt())
                .as("connections that are half-open")
                .isPositive();
    }

    /** Amid a long and a brief hold, with others behind them, and a wait. */
    private String outlive(Belay far, HalfOpening opening) throws Exception {
        try (WatchedLease lasting = new WatchedLease(
                        lock(far, opening, "lasting", options()).acquire());
                WatchedLease brief =
                        new WatchedLease(lock(far, opening, "brief", brief()).acquire());
                Lag lag = new Lag()) {
            Served behindLasting = behind(lasting);
            Served behindBrief = behind(brief);
            Lease first = lock(a, opening, "line", options()).acquire();
            CompletableFuture<Lease> waiting = queued(lock(far, opening, "line", options()));
            happen(opening);
            Duration free = takeFree(far, opening);
            assertThat(waiting).as("a wait behind a holder").isNotDone();
            giveBack(first);
            Duration waited = new Served(waiting).within(line.worksAgainWithin(), premise);
            assertThat(waiting.join().token()).isGreaterThan(first.token());
            if (options().lease().compareTo(line.worksAgainWithin().multipliedBy(2)) > 0) {
                premise.holds(lasting.lease());
            }
            return String.format(
                    "a free lock after %d ms, a wait after %d ms, a long hold %s, a brief one %s",
                    free.toMillis(),
                    waited.toMillis(),
                    judge(lasting, behindLasting, lag, options().lease()),
                    judge(brief, behindBrief, lag, premise.lease()));
        }
    }

    private Served behind(WatchedLease held) throws InterruptedException {
        return new Served(held.notHeldBeside(queued(b.lock(held.lease().name()))));
    }

    private Duration takeFree(Belay far, HalfOpening opening) throws Exception {
        Duration longest = Duration.ZERO;
        for (int i = 0; i < FREE; i++) {
            CompletableFuture<Lease> free =
                    lock(far, opening, "free " + i, options()).acquireAsync();
            Duration took = new Served(free).within(line.worksAgainWithin(), premise);
            longest = took.compareTo(longest) > 0 ? took : longest;
        }
        return longest;
    }

    /** It is held, or its loss was told by its deadline; and the next one is served. */
    private String judge(WatchedLease held, Served behind, Lag lag, Duration lease) throws Exception {
        boolean granted = behind.waiting.isDone();
        boolean isHeld = held.lease().isHeld();
        held.assertNotShared();
        if (isHeld) {
            assertThat(granted).as("another is granted what is held").isFalse();
            giveBack(held.lease());
            behind.within(line.worksAgainWithin(), premise);
            return "kept";
        }
        Duration late = held.toldLate(soon());
        premise.holds(
                late.compareTo(Served.MARGIN.plus(lag.sum())) <= 0,
                "a loss is told by the deadline, and half a second; it was " + late + " after it");
        behind.within(spec.endsWithin(lease), premise);
        held.assertNotShared();
        return "lost, told " + late.toMillis() + " ms after its deadline";
    }

    /** With a hold and a wait, of which nothing is left in the way of others. */
    private String closeInTime(Belay far, HalfOpening opening) throws Exception {
        try (WatchedLease held =
                new WatchedLease(lock(far, opening, "held", brief()).acquire())) {
            Lease first = lock(a, opening, "vain", options()).acquire();
            CompletableFuture<Lease> vain = queued(lock(far, opening, "vain", brief()));
            happen(opening);
            Duration took = close(far);
            assertThat(held.lease().isHeld()).isFalse();
            held.toldLate(soon());
            assertThatThrownBy(() -> vain.get(soon(), TimeUnit.SECONDS))
                    .hasCauseInstanceOf(ClientClosedException.class);
            giveBack(first);
            Served one = new Served(lock(b, opening, "held", options()).acquireAsync());
            Served two = new Served(lock(b, opening, "vain", options()).acquireAsync());
            one.within(spec.endsWithin(premise.lease()), premise);
            two.within(spec.endsWithin(premise.lease()), premise);
            return "closed after " + took.toMillis() + " ms";
        }
    }

    private Duration close(Belay far) {
        long begin = System.nanoTime();
        try (Lag lag = new Lag()) {
            far.close();
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            Duration promised = line.requestTimeout().plus(CLOSING);
            premise.holds(
                    took.minus(lag.sum()).compareTo(promised.plus(Served.MARGIN)) <= 0,
                    "a client is closed within " + promised + " and half a second; it was after " + took);
            return took;
        }
    }
}
