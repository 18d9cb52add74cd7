package io.belay.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.servers.Pace;
import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.ClaimId;
import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreOpener;
import io.belay.spi.StoreProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The trial of a store in memory to which some claims do not get through. Any other request is answered inside the call. */
class LockTrialTest {
    /** After so long a try is told that it has no answer, and a claim is sent again. */
    private static final BelayOptions OPTIONS = BelayOptions.defaults().withRequestTimeout(Duration.ofMillis(250));

    private final String url = "memory:" + UUID.randomUUID();

    private Duration longestLease = Duration.ofDays(1);

    /** How many more looks get lost. */
    private final AtomicInteger lostLooks = new AtomicInteger();

    /** The numbers of the clients, in their order. */
    private final List<Long> clients = new CopyOnWriteArrayList<>();

    private static StoreProvider memory() {
        return ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(one -> one.schemes().contains("memory"))
                .findFirst()
                .orElseThrow();
    }

    private List<Finding> findings(Predicate<Request.Enter> lost, Duration patience) throws InterruptedException {
        StoreOpener opener = (client, listener) -> {
            clients.add(client);
            return new Line(memory().open(url, client, listener), lost, lostLooks, longestLease);
        };
        return LockTrial.of(() -> Belay.connect(opener, OPTIONS), patience);
    }

    private boolean isOfTheOther(Request.Enter enter) {
        return enter.id().client() == clients.get(1);
    }

    private static boolean isTry(Request.Enter enter) {
        return enter.spec().ifFree();
    }

    @Test
    void aTryWithoutAnAnswerIsPassedOver() throws Exception {
        Map<Long, ClaimId> firsts = new ConcurrentHashMap<>();
        Predicate<Request.Enter> first =
                enter -> enter.id().equals(firsts.computeIfAbsent(enter.id().client(), any -> enter.id()));
        assertThat(findings(enter -> isTry(enter) && first.test(enter), Pace.patience()))
                .isEmpty();
        assertThat(firsts.keySet()).as("who had no answer").containsExactlyInAnyOrderElementsOf(clients);
    }

    /** A try is told so when its claim is sent again. That gets through in the end, as who comes next may wait for it. */
    @Test
    @Tag("long")
    void aStoreThatAnswersNoTryIsSlow() throws Exception {
        Map<ClaimId, Integer> sent = new ConcurrentHashMap<>();
        Predicate<Request.Enter> late = enter -> sent.merge(enter.id(), 1, Integer::sum) <= 3;
        List<Finding> findings = findings(enter -> isTry(enter) && late.test(enter), Pace.patience());
        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.WARNING);
            assertThat(finding.subject()).isEqualTo("race");
            assertThat(finding.finding())
                    .matches("Two clients raced for a lock, and 0 of their \\d+ tries were answered: "
                            + "The store did not answer in time, .* has the lock 'belay-doctor'.*\\.");
            assertThat(finding.cure()).startsWith("If its round trips are long, use a store that is nearer or faster");
        });
        assertThat(Verdict.of(findings, true)).isEqualTo(Verdict.LIMITED);
    }

    @Test
    void aHandOverThatComesTooLateIsMadeAgain() throws Exception {
        Map<Long, ClaimId> firsts = new ConcurrentHashMap<>();
        Predicate<Request.Enter> first =
                enter -> enter.id().equals(firsts.computeIfAbsent(enter.id().client(), any -> enter.id()));
        assertThat(findings(enter -> isOfTheOther(enter) && first.test(enter), Duration.ofSeconds(2)))
                .isEmpty();
        assertThat(firsts).as("who had no answer").containsOnlyKeys(clients.get(1));
    }

    @Test
    @Tag("long")
    void aStoreThatHandsNothingOverInTimeIsSlow() throws Exception {
        AtomicBoolean races = new AtomicBoolean();
        Predicate<Request.Enter> before = enter -> {
            if (isTry(enter)) {
                races.set(true);
            }
            return !races.get();
        };
        assertThat(findings(enter -> before.test(enter) && isOfTheOther(enter), Duration.ofSeconds(1)))
                .singleElement()
                .isEqualTo(Finding.of(
                        Severity.WARNING,
                        "hand-over",
                        "In each of 3 hand-overs a lock that was given back was not had by who waited for it"
                                + " within 1 s.",
                        "If its round trips are long, use a store that is nearer or faster; if not, see whether it"
                                + " or this machine is overloaded, and ask again."));
    }

    @Test
    void aLookWithoutAnAnswerIsTakenAgain() throws Exception {
        lostLooks.set(2);
        assertThat(findings(enter -> false, Pace.patience())).isEmpty();
        assertThat(lostLooks).as("looks that got through after it").hasNegativeValue();
    }

    @Test
    void aStoreThatAnswersNoLookIsSlow() throws Exception {
        lostLooks.set(3);
        assertThat(findings(enter -> false, Pace.patience())).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.WARNING);
            assertThat(finding.subject()).isEqualTo("trial");
            assertThat(finding.finding())
                    .startsWith(
                            "The trial ended early, as what it asked had no answer, 3 times: Inspecting the lock 'belay-doctor' failed: the store did not answer in time.");
        });
    }

    @Test
    void aStoreThatRefusesTheDefaultLeaseIsTriedWithShorterOnes() throws Exception {
        longestLease = Duration.ofSeconds(5);
        assertThat(findings(enter -> false, Pace.patience()))
                .singleElement()
                .isEqualTo(Finding.of(
                        Severity.NOTE,
                        "lease",
                        "Locks with the lease of 30 s that they have by default are refused here, and those with one of"
                                + " 3 s are taken: A request for 'belay-doctor' was refused: by the test.",
                        "Have all who take locks here ask for a lease so short:"
                                + " LockOptions.defaults().withLease(Duration.ofSeconds(3)), or --lease 3s."));
    }

    @Test
    void aStoreThatRefusesAllLeasesIsADanger() throws Exception {
        longestLease = Duration.ZERO;
        assertThat(findings(enter -> false, Pace.patience())).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.DANGER);
            assertThat(finding.subject()).isEqualTo("lock");
            assertThat(finding.finding()).startsWith("No lock could be taken: ").endsWith("by the test.");
        });
    }

    /** A connection to the store on which the enters of some claims get lost, and the first looks, and long leases are refused. */
    private record Line(Store store, Predicate<Request.Enter> lost, AtomicInteger lostLooks, Duration longestLease)
            implements Store {
        @Override
        public Capabilities capabilities() {
            return store.capabilities();
        }

        @Override
        public CompletionStage<Answer> send(Request request) {
            if (!(request instanceof Request.Enter enter)) {
                return store.send(request);
            } else if (enter.spec().lease() > TimeUnit.NANOSECONDS.toMicros(longestLease.toNanos())) {
                return CompletableFuture.completedStage(
                        Answer.of(Answer.State.REFUSED, System.currentTimeMillis() * 1_000)
                                .withRefusal("by the test"));
            }
            return lost.test(enter) ? new CompletableFuture<>() : store.send(request);
        }

        @Override
        public CompletionStage<Snapshot> inspect(String resource) {
            return lostLooks.getAndDecrement() > 0 ? new CompletableFuture<>() : store.inspect(resource);
        }

        @Override
        public CompletionStage<NamePage> names(String prefix, String cursor) {
            return store.names(prefix, cursor);
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
