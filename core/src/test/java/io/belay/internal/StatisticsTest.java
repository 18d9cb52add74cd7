package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;

import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.LockStatistics;
import io.belay.LockStatistics.HoldEnd;
import io.belay.LockStatistics.WaitEnd;
import io.belay.LossReason;
import io.belay.RequestKind;
import io.belay.Statistics;
import io.belay.internal.TestWorld.Node;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** That what is counted is what was done. */
class StatisticsTest {
    private final TestWorld world = new TestWorld();
    private final Node a = world.client();
    private final Node b = world.client();

    private LockStatistics of(Node client, String family) {
        return client.client().admin().statistics().locks().get(family);
    }

    @Test
    void waitsAndHoldsAreCountedWithTheirTimes() {
        Lease first = held(a.lock("stock:1").acquireAsync());
        CompletableFuture<Lease> second = a.lock("stock:1").acquireAsync();
        CompletableFuture<Lease> third = a.lock("stock:1").acquireAsync();
        world.pass(Duration.ofSeconds(3));
        LockStatistics now = of(a, "stock");
        assertThat(now.now().holding()).isEqualTo(1);
        assertThat(now.now().waiting()).isEqualTo(2);
        assertThat(now.now().oldestHold()).isEqualTo(Duration.ofSeconds(3));
        assertThat(now.waits().counts().get(WaitEnd.ACQUIRED)).isEqualTo(1);
        third.cancel(false);
        first.release();
        world.pass(Duration.ofSeconds(4));
        held(second).release();
        world.pass(Duration.ofSeconds(1));

        LockStatistics then = of(a, "stock");
        assertThat(then.waits().counts().get(WaitEnd.ACQUIRED)).isEqualTo(2);
        assertThat(then.waits().counts().get(WaitEnd.CANCELLED)).isEqualTo(1);
        assertThat(then.waits().times().get(WaitEnd.ACQUIRED)).isEqualTo(Duration.ofSeconds(3));
        assertThat(then.waits().times().get(WaitEnd.CANCELLED)).isEqualTo(Duration.ofSeconds(3));
        assertThat(then.waits().longest()).isEqualTo(Duration.ofSeconds(3));
        assertThat(then.waits().acquiredWithin())
                .containsEntry(Duration.ofMillis(1), 1L)
                .containsEntry(Duration.ofSeconds(2), 1L)
                .containsEntry(Duration.ofSeconds(3), 2L)
                .containsEntry(Duration.ofMinutes(1), 2L);
        assertThat(then.waits().handOffs()).as("the slice was over").isZero();
        assertThat(then.holds().counts().get(HoldEnd.RELEASED)).isEqualTo(2);
        assertThat(then.holds().times().get(HoldEnd.RELEASED)).isEqualTo(Duration.ofSeconds(7));
        assertThat(then.holds().longest()).isEqualTo(Duration.ofSeconds(4));
        assertThat(then.now().holding()).isZero();
        assertThat(then.now().waiting()).isZero();
        assertThat(then.now().oldestHold()).isZero();
        Map<RequestKind, Statistics.Requests> asked =
                a.client().admin().statistics().requests();
        assertThat(asked.get(RequestKind.TAKE).answered()).isEqualTo(1);
        assertThat(asked.get(RequestKind.GIVE_BACK).answered())
                .as("a turn, and the lock")
                .isEqualTo(2);
    }

    @Test
    void handOversInsideTheClientAreCounted() {
        Lease first = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> second = a.lock("x").acquireAsync();
        first.release();
        held(second).release();
        assertThat(of(a, "x").waits().handOffs()).isEqualTo(1);
        assertThat(of(a, "x").waits().counts()).containsEntry(WaitEnd.ACQUIRED, 2L);
    }

    @Test
    void triesTimeoutsAndRefusalsAreCountedApart() {
        Lease held = held(a.client().semaphore("s", 1).permits(1).acquireAsync());
        assertThat(b.client().semaphore("s", 1).permits(1).tryAcquireAsync().join())
                .isEmpty();
        CompletableFuture<?> timed = b.client().semaphore("s", 1).permits(1).tryAcquireAsync(Duration.ofSeconds(2));
        b.client().semaphore("s", 2).permits(1).acquireAsync();
        world.pass(Duration.ofSeconds(5));
        assertThat(timed).isCompleted();
        LockStatistics counts = of(b, "s");
        assertThat(counts.waits().counts())
                .containsEntry(WaitEnd.ACQUIRED, 0L)
                .containsEntry(WaitEnd.TIMEOUT, 2L)
                .containsEntry(WaitEnd.REFUSED, 1L)
                .containsEntry(WaitEnd.ERROR, 0L);
        assertThat(counts.waits().times().get(WaitEnd.TIMEOUT)).isEqualTo(Duration.ofSeconds(2));
        held.release();
    }

    @Test
    void lossesAreCountedByReason() {
        held(a.lock("x").acquireAsync());
        held(a.lock("y", LockOptions.defaults().withMaxHold(Duration.ofSeconds(5)))
                .acquireAsync());
        world.pass(Duration.ofSeconds(6));
        b.client().admin().forceRelease("x");
        assertThat(of(a, "x").holds().lost())
                .containsEntry(LossReason.FORCED, 1L)
                .containsEntry(LossReason.EXPIRED, 0L);
        assertThat(of(a, "x").holds().counts()).containsEntry(HoldEnd.LOST, 1L).containsEntry(HoldEnd.RELEASED, 0L);
        assertThat(of(a, "y").holds().lost()).containsEntry(LossReason.MAX_HOLD, 1L);
    }

    @Test
    void theTimesOfManyTogetherMayBeMoreThanALongHasNanoseconds() {
        List<Lease> leases = Stream.of("x:1", "x:2", "x:3")
                .map(name -> held(a.lock(name).acquireAsync()))
                .toList();
        Duration years = Duration.ofDays(120 * 365);
        world.freeze(years);
        assertThat(leases).noneMatch(Lease::isHeld);
        assertThat(of(a, "x").holds().counts()).containsEntry(HoldEnd.LOST, 3L);
        assertThat(of(a, "x").holds().times()).containsEntry(HoldEnd.LOST, years.multipliedBy(3));
    }

    @Test
    void aReleaseThatIsNotAnsweredIsUnknown() {
        Lease lease = held(a.lock("x").acquireAsync());
        a.line().line = FaultyStore.Line.SILENT;
        lease.releaseAsync();
        world.pass(Duration.ofMinutes(2));
        assertThat(of(a, "x").holds().counts())
                .containsEntry(HoldEnd.UNKNOWN, 1L)
                .containsEntry(HoldEnd.RELEASED, 0L);
    }

    @Test
    void aChangeOfWeightIsAnotherAcquisition() {
        Lease writer = held(a.client().readWriteLock("rw").writeLock().acquireAsync());
        world.pass(Duration.ofSeconds(1));
        Lease reader = a.client().readWriteLock("rw").downgrade(writer);
        world.pass(Duration.ofSeconds(1));
        reader.release();
        assertThat(of(a, "rw").waits().counts()).containsEntry(WaitEnd.ACQUIRED, 2L);
        assertThat(of(a, "rw").waits().handOffs()).as("as it took a request").isZero();
        assertThat(of(a, "rw").holds().counts()).containsEntry(HoldEnd.RELEASED, 2L);
        assertThat(of(a, "rw").holds().times().get(HoldEnd.RELEASED)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void familiesAreNamespaceAndFirstPart() {
        held(a.lock("stock:1:a").acquireAsync()).release();
        held(a.client().namespace("shop").lock("stock:2").acquireAsync()).release();
        held(a.client().namespace("shop").namespace("eu").lock("orders").acquireAsync())
                .release();
        held(a.lock("plain").acquireAsync()).release();
        assertThat(a.client().admin().statistics().locks())
                .containsOnlyKeys("stock", "shop:stock", "shop:eu:orders", "plain");
    }

    @Test
    void thereAreAHundredFamiliesAtMostAndNothingIsLost() {
        for (int i = 0; i < 1_000; i++) {
            held(a.lock("name" + i).acquireAsync()).release();
        }
        Statistics counts = a.client().admin().statistics();
        assertThat(counts.locks()).hasSize(101).containsKey(Statistics.OTHER);
        assertThat(counts.locks().get(Statistics.OTHER).waits().counts()).containsEntry(WaitEnd.ACQUIRED, 900L);
        assertThat(counts.locks().values().stream()
                        .mapToLong(one -> one.holds().counts().get(HoldEnd.RELEASED))
                        .sum())
                .isEqualTo(1_000);
    }

    @Test
    void aLockTellsTheFamilyForWhichItIsCounted() {
        assertThat(a.client().namespace("shop").lock("stock:2").family()).isEqualTo("shop:stock");
        assertThat(a.client().semaphore("permits:3", 2).permits(1).family()).isEqualTo("permits");
        for (int i = 0; i < 1_000; i++) {
            String family = a.lock("name" + i).family();
            held(a.lock("name" + i).acquireAsync()).release();
            assertThat(a.client()
                            .admin()
                            .statistics()
                            .locks()
                            .get(family)
                            .waits()
                            .counts()
                            .get(WaitEnd.ACQUIRED))
                    .isPositive();
        }
        assertThat(a.lock("one too many").family()).isEqualTo(Statistics.OTHER);
    }

    @Test
    void aFunctionOfTheUsersNamesFamilies() {
        Node c = world.client(BelayOptions.defaults().withFamilies(name -> {
            if (name.startsWith("bad")) {
                throw new IllegalStateException("by the test");
            }
            return name.substring(name.lastIndexOf('.') + 1);
        }));
        held(c.lock("a.x").acquireAsync()).release();
        held(c.lock("b.x").acquireAsync()).release();
        held(c.lock("bad").acquireAsync()).release();
        assertThat(c.client().admin().statistics().locks()).containsOnlyKeys("x", Statistics.OTHER);
        assertThat(of(c, "x").waits().counts()).containsEntry(WaitEnd.ACQUIRED, 2L);
    }
}
