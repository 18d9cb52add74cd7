package io.belay.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.ReleaseOutcome;
import io.belay.Statistics;
import io.belay.StoreUnavailableException;
import io.belay.servers.Premise;
import io.micrometer.core.instrument.Tags;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** That Prometheus is shown what was done. */
class BelayMetricsTest {
    private static final LockOptions LONG_SLICE = LockOptions.defaults().withSlice(Duration.ofHours(1));

    /** The names that begin the meters of a family; those of timers have a count and a sum. */
    private static final int NAMES = 8;

    private final String url = "memory:" + UUID.randomUUID();
    private final Belay a = Belay.connect(url);
    private final Belay b = Belay.connect(url);
    private final Scrape.Target target = new Scrape.Target();

    @AfterEach
    void close() {
        a.close();
        b.close();
    }

    /** As of a mock in an application's test. */
    @Test
    void aStandInThatAnswersNothingHasNoMeters() {
        Belay standIn = (Belay) Proxy.newProxyInstance(
                Belay.class.getClassLoader(), new Class<?>[] {Belay.class}, (proxy, method, arguments) -> null);
        BelayMetrics.of(standIn).bindTo(target.registry);
        assertThat(target.registry.getMeters()).isEmpty();
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    @Test
    void whatWasDoneIsShown() throws Exception {
        BelayMetrics.of(a).bindTo(target.registry);
        for (int i = 0; i < 3; i++) {
            a.lock("stock:" + i).acquire().release();
        }
        Lease held = a.lock("stock:held", LONG_SLICE).acquire();
        assertThat(a.lock("stock:held", LONG_SLICE).tryAcquire()).isEmpty();
        CompletableFuture<Lease> waits = a.lock("stock:held", LONG_SLICE).acquireAsync();
        a.lock("stock:held", LONG_SLICE).acquireAsync().cancel(false);
        Lease permit = b.semaphore("stock:permits", 1).acquire();
        assertThatThrownBy(() -> a.semaphore("stock:permits", 2).acquire()).isInstanceOf(LockRefusedException.class);
        Lease forced = a.lock("stock:forced").acquire();
        CompletableFuture<Void> lost = new CompletableFuture<>();
        forced.onLost(loss -> lost.complete(null));
        assertThat(b.admin().forceRelease("stock:forced")).isTrue();
        lost.join();

        target.next(); // one meter may lack a family that is new to this scrape
        Map<String, Double> now = target.next().of("stock");
        Statistics counts = a.admin().statistics();
        assertThat(now)
                .contains(
                        entry("held_leases", 1.0),
                        entry("waiting_waiters", 1.0),
                        entry("acquire_seconds_count outcome=\"acquired\"", 5.0),
                        entry("hold_seconds_count outcome=\"released\"", 3.0))
                .hasEntrySatisfying(
                        "hold_active_max_seconds",
                        age -> assertThat(age)
                                .isPositive()
                                .isLessThanOrEqualTo(seconds(
                                        counts.locks().get("stock").now().oldestHold())))
                .hasEntrySatisfying(
                        "wait_active_max_seconds",
                        age -> assertThat(age)
                                .isPositive()
                                .isLessThanOrEqualTo(seconds(
                                        counts.locks().get("stock").now().longestWait())));

        held.release();
        waits.join().release();
        permit.release();
        Map<String, Double> then = target.next().of("stock");
        assertThat(then)
                .contains(
                        entry("acquire_seconds_count outcome=\"acquired\"", 6.0),
                        entry("acquire_seconds_count outcome=\"timeout\"", 1.0),
                        entry("acquire_seconds_count outcome=\"refused\"", 1.0),
                        entry("acquire_seconds_count outcome=\"error\"", 0.0),
                        entry("acquire_seconds_count outcome=\"cancelled\"", 1.0),
                        entry("handoffs_total", 1.0),
                        entry("hold_seconds_count outcome=\"released\"", 5.0),
                        entry("hold_seconds_count outcome=\"lost\"", 1.0),
                        entry("hold_seconds_count outcome=\"unknown\"", 0.0),
                        entry("held_leases", 0.0),
                        entry("waiting_waiters", 0.0),
                        entry("hold_active_max_seconds", 0.0),
                        entry("wait_active_max_seconds", 0.0),
                        entry("lost_leases_total reason=\"forced\"", 1.0),
                        entry("lost_leases_total reason=\"expired\"", 0.0),
                        entry("lost_leases_total reason=\"forgotten\"", 0.0),
                        entry("lost_leases_total reason=\"max_hold\"", 0.0),
                        entry("lost_leases_total reason=\"ended\"", 0.0),
                        entry("lost_leases_total reason=\"closed\"", 0.0))
                .as("and the sums of eight timers")
                .hasSize(19 + 8);
        a.admin()
                .statistics()
                .locks()
                .get("stock")
                .waits()
                .times()
                .forEach((end, time) -> assertThat(then)
                        .containsEntry(
                                "acquire_seconds_sum outcome=\"" + FamilyMeters.lowerCase(end) + "\"", seconds(time)));
        a.admin()
                .statistics()
                .locks()
                .get("stock")
                .holds()
                .times()
                .forEach((end, time) -> assertThat(then)
                        .containsEntry(
                                "hold_seconds_sum outcome=\"" + FamilyMeters.lowerCase(end) + "\"", seconds(time)));
    }

    @Test
    void timesOfManyThreadsMayBeMoreThanALongHasNanoseconds() {
        assertThat(FamilyMeters.nanos(Duration.ofDays(365 * 1_000))).isEqualTo(365_000 * 86_400e9);
        assertThat(FamilyMeters.nanos(Duration.ofNanos(1_234_567_890_123L))).isEqualTo(1_234_567_890_123.0);
    }

    @Test
    void requestsAreShown() throws Exception {
        BelayMetrics.of(a).bindTo(target.registry);
        a.lock("x").acquire().release();
        a.admin().inspect("x");
        target.next();
        Scrape scrape = target.next();
        assertThat(scrape.values())
                .contains(
                        entry("belay_store_requests_seconds_count{op=\"take\"}", 1.0),
                        entry("belay_store_requests_seconds_count{op=\"give_back\"}", 1.0),
                        entry("belay_store_requests_seconds_count{op=\"keep\"}", 0.0),
                        entry("belay_store_requests_seconds_count{op=\"change\"}", 0.0),
                        entry("belay_store_requests_seconds_count{op=\"look\"}", 1.0),
                        entry("belay_store_failed_requests_total{op=\"look\"}", 0.0),
                        entry("belay_store_up", 1.0),
                        entry("belay_store_outages_total", 0.0),
                        entry("belay_store_pushes_lost_messages_total", 0.0))
                .hasEntrySatisfying(
                        "belay_store_requests_seconds_sum{op=\"take\"}",
                        time -> assertThat(time).isPositive());
    }

    @Test
    void anOutageIsShown() throws Exception {
        BreakableStore store = new BreakableStore(url);
        BelayOptions options = BelayOptions.defaults().withRequestTimeout(Duration.ofMillis(200));
        try (Belay c = Belay.connect(store, options)) {
            BelayMetrics.of(c).bindTo(target.registry);
            Lease unclear = c.lock("x").acquire();
            store.broken = true;
            assertThat(unclear.release()).isEqualTo(ReleaseOutcome.UNKNOWN);
            assertThatThrownBy(() -> c.lock("x").tryAcquire()).isInstanceOf(StoreUnavailableException.class);
            target.next();
            Scrape away = target.next();
            assertThat(away.values()).contains(entry("belay_store_up", 0.0), entry("belay_store_outages_total", 1.0));
            assertThat(away.values().get("belay_store_failed_requests_total{op=\"take\"}"))
                    .isPositive();
            assertThat(away.of("x"))
                    .contains(
                            entry("hold_seconds_count outcome=\"unknown\"", 1.0),
                            entry("acquire_seconds_count outcome=\"error\"", 1.0));

            store.broken = false;
            c.lock("y").acquire().release();
            assertThat(target.next().values())
                    .contains(entry("belay_store_up", 1.0), entry("belay_store_outages_total", 1.0));
        }
    }

    /** A registry of Prometheus has no order, so another meter comes first each time. */
    @RepeatedTest(20)
    void aFamilyThatAppearsIsInTheNextScrape() throws Exception {
        a.lock("early:1").acquire().release();
        BelayMetrics.of(a).bindTo(target.registry);
        assertThat(target.again().families()).containsExactlyInAnyOrder("early", Statistics.OTHER);
        a.lock("late:1").acquire().release();
        Map<String, Double> next = target.next().of("late");
        Map<String, Double> afterwards = target.next().of("late");
        assertThat(afterwards).hasSize(27).containsEntry("acquire_seconds_count outcome=\"acquired\"", 1.0);
        assertThat(names(afterwards)).isEqualTo(NAMES);
        assertThat(names(next))
                .as("all but the one that the scrape has begun with")
                .isGreaterThanOrEqualTo(NAMES - 1);
        assertThat(afterwards).containsAllEntriesOf(next);
    }

    private static long names(Map<String, Double> family) {
        return family.keySet().stream()
                .map(meter -> meter.replaceFirst("(_count|_sum)? .*|_(count|sum)$", ""))
                .distinct()
                .count();
    }

    @Test
    void theMetersOfOneScrapeAreOfOneMoment() throws Exception {
        a.lock("x").acquire().release();
        BelayMetrics.of(a).bindTo(target.registry);
        a.lock("x").acquire().release();
        target.pass(Duration.ofMillis(99));
        assertThat(target.again().of("x")).containsEntry("acquire_seconds_count outcome=\"acquired\"", 1.0);
        target.pass(Duration.ofMillis(1));
        assertThat(target.again().of("x")).containsEntry("acquire_seconds_count outcome=\"acquired\"", 2.0);
    }

    /** Many threads at a time, so that they also meet while families are new; a million names by -Dbelay.names=1000000. */
    @Test
    void manyNamesAreFewFamilies() {
        BelayMetrics.of(a).bindTo(target.registry);
        int names = Integer.getInteger("belay.names", 10_000);
        IntStream.range(0, names).parallel().forEach(i -> {
            try (Lease lease = tried("name" + i)) {
                assertThat(lease.isHeld()).isTrue();
            }
        });
        target.next();
        Scrape scrape = target.next();
        assertThat(scrape.families()).hasSize(101);
        assertThat(scrape.families().stream()
                        .mapToDouble(family -> scrape.of(family).get("acquire_seconds_count outcome=\"acquired\""))
                        .sum())
                .isEqualTo(names);
    }

    private Lease tried(String name) {
        DistributedLock lock = a.lock(name);
        try {
            return Premise.answered(() -> lock.tryAcquire()).orElseThrow();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void severalClientsOfARegistryAreToldApartByATag() throws Exception {
        BelayMetrics.of(a, Tags.of("store", "a")).bindTo(target.registry);
        BelayMetrics.of(b, Tags.of("store", "b")).bindTo(target.registry);
        a.lock("x").acquire().release();
        target.next();
        assertThat(target.next().values())
                .contains(
                        entry("belay_store_requests_seconds_count{op=\"take\",store=\"a\"}", 1.0),
                        entry("belay_store_requests_seconds_count{op=\"take\",store=\"b\"}", 0.0),
                        entry("belay_lock_held_leases{lock=\"x\",store=\"a\"}", 0.0))
                .doesNotContainKey("belay_lock_held_leases{lock=\"x\",store=\"b\"}");
    }

    @Test
    void onlyTheFirstOfSeveralWithTheSameTagsIsShown() throws Exception {
        BelayMetrics.of(a).bindTo(target.registry);
        try (BelayMetrics second = BelayMetrics.of(b)) {
            second.bindTo(target.registry);
            b.lock("x").acquire().release();
        }
        a.lock("y").acquire().release();
        target.next();
        assertThat(target.next().of("y")).containsEntry("acquire_seconds_count outcome=\"acquired\"", 1.0);
        assertThat(target.next().families()).containsExactlyInAnyOrder("y", Statistics.OTHER);
    }

    /** Else the store of a client that was closed would seem to be away for good, and its successor would not be shown. */
    @Test
    void whatIsClosedGivesWayToTheNextWithTheSameTags() throws Exception {
        BelayMetrics first = BelayMetrics.of(a);
        first.bindTo(target.registry);
        a.lock("x").acquire().release();
        target.next();
        first.close();
        a.close();
        assertThat(target.registry.scrape()).doesNotContain("belay");

        BelayMetrics.of(b).bindTo(target.registry);
        b.lock("y").acquire().release();
        target.next();
        Scrape next = target.next();
        assertThat(next.values()).containsEntry("belay_store_up", 1.0);
        assertThat(next.of("y")).containsEntry("acquire_seconds_count outcome=\"acquired\"", 1.0);
        assertThat(next.families()).containsExactlyInAnyOrder("y", Statistics.OTHER);
        first.close();
        assertThat(target.next().values()).containsKey("belay_store_up");
    }

    @Test
    void theRegistryKeepsWhatItReads() throws Exception {
        BelayMetrics.of(a).bindTo(target.registry);
        WeakReference<Object> garbage = new WeakReference<>(new Object());
        await().until(() -> {
            System.gc();
            return garbage.get() == null;
        });
        a.lock("x").acquire().release();
        target.next();
        assertThat(target.next().of("x")).containsEntry("acquire_seconds_count outcome=\"acquired\"", 1.0);
    }
}
