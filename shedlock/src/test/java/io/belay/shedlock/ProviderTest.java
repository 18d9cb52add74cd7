package io.belay.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.ClientClosedException;
import io.belay.ForwardingLease;
import io.belay.Inspection;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.StoreUnavailableException;
import io.belay.spi.Capabilities;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockExtender.LockCanNotBeExtendedException;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The provider's options, its names, its lease, and ShedLock's own executor on it. */
class ProviderTest {
    private static final Duration LONG = Duration.ofHours(2);

    private final Belay belay = Belay.connect("memory:provider");
    private final BelayLockProvider provider = BelayLockProvider.of(belay);

    @AfterEach
    void close() {
        belay.close();
    }

    private static LockConfiguration job(Duration atMost, Duration atLeast) {
        return new LockConfiguration(ClockProvider.now(), "job", atMost, atLeast);
    }

    private Duration leaseOf(BelayLockProvider with, Duration atMost, Duration atLeast) {
        SimpleLock lock = with.lock(job(atMost, atLeast)).orElseThrow();
        Inspection.Claim claim = belay.admin().inspect("shedlock:job").claims().get(0);
        lock.unlock();
        belay.admin().forceRelease("shedlock:job");
        return claim.remaining();
    }

    @Test
    void theLeaseIsBoundedByAtMostAndByAtLeast() {
        BelayLockProvider longer = provider.withLease(Duration.ofMinutes(10));
        assertThat(leaseOf(provider, LONG, Duration.ZERO)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
        assertThat(leaseOf(longer, Duration.ofMinutes(5), Duration.ZERO))
                .isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
        assertThat(leaseOf(provider, LONG, Duration.ofHours(1)))
                .isBetween(Duration.ofMinutes(59), Duration.ofMinutes(60));
        assertThat(leaseOf(longer, LONG, Duration.ZERO)).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10));
    }

    @Test
    void theLeaseIsThatOfTheClientWhereNoneIsGiven() {
        LockOptions options = LockOptions.defaults().withLease(Duration.ofMinutes(3));
        try (Belay patient =
                Belay.connect("memory:provider", BelayOptions.defaults().withLockDefaults(options))) {
            assertThat(leaseOf(BelayLockProvider.of(patient), LONG, Duration.ZERO))
                    .isBetween(Duration.ofMinutes(2), Duration.ofMinutes(3));
        }
    }

    @Test
    void aConfigurationThatIsOldHasLittleTimeLeft() {
        LockConfiguration old = new LockConfiguration(
                ClockProvider.now().minus(LONG), "job", Duration.ofHours(1), Duration.ofMinutes(59));
        // Its lease is the shortest there is, and may end before the answer is there that the lock is had.
        await().pollInSameThread()
                .until(() -> provider.lock(old), Optional::isPresent)
                .orElseThrow()
                .unlock();
        // Its one millisecond may be over by then: who has taken the lock from it for that gives it back beside this
        // thread.
        await().until(() -> belay.admin().inspect("shedlock:job").claims().isEmpty());
    }

    @Test
    void locksAreInANamespaceOfTheirOwnOrInNone() {
        SimpleLock one = provider.lock(job(LONG, Duration.ZERO)).orElseThrow();
        SimpleLock two =
                provider.withNamespace("shop").lock(job(LONG, Duration.ZERO)).orElseThrow();
        SimpleLock three =
                provider.withNamespace("").lock(job(LONG, Duration.ZERO)).orElseThrow();
        assertThat(belay.admin().names("")).containsExactlyInAnyOrder("shedlock:job", "shop:job", "job");
        List.of(one, two, three).forEach(SimpleLock::unlock);
    }

    @Test
    void whatIsNoOptionIsRefusedAtOnce() {
        assertThatThrownBy(() -> provider.withLease(Duration.ofMillis(99)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> provider.withNamespace("\n")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aClosedClientIsNoLockThatIsTaken() {
        belay.close();
        assertThatThrownBy(() -> provider.lock(job(LONG, Duration.ZERO))).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void shedLocksExecutorRunsOneJobAtATimeAndExtendsItsLock() {
        List<String> done = new CopyOnWriteArrayList<>();
        new DefaultLockingTaskExecutor(provider)
                .executeWithLock(
                        (Runnable) () -> {
                            done.add("one");
                            LockExtender.extendActiveLock(LONG, Duration.ZERO);
                            // On another thread, as ShedLock knows which locks a thread has.
                            CompletableFuture.runAsync(() -> runElsewhere(() -> done.add("other")))
                                    .join();
                        },
                        job(Duration.ofMinutes(1), Duration.ZERO));
        assertThat(done).containsExactly("one");
        runElsewhere(() -> done.add("other"));
        assertThat(done).containsExactly("one", "other");
    }

    private static void runElsewhere(Runnable body) {
        try (Belay other = Belay.connect("memory:provider")) {
            new DefaultLockingTaskExecutor(BelayLockProvider.of(other)).executeWithLock(body, job(LONG, Duration.ZERO));
        }
    }

    /** The job sees why its lock was not extended, and no complaint about the unlock hides that. */
    @Test
    void aJobThatExtendsALostLockIsToldSo() {
        DefaultLockingTaskExecutor executor = new DefaultLockingTaskExecutor(provider);
        assertThatThrownBy(() -> executor.executeWithLock(
                        (Runnable) () -> {
                            belay.admin().forceRelease("shedlock:job");
                            LockExtender.extendActiveLock(LONG, Duration.ZERO);
                        },
                        job(LONG, Duration.ZERO)))
                .isInstanceOf(LockCanNotBeExtendedException.class);
    }

    /** After a suspension, while the store is silent, nobody knows; who was told so would give up what may still be his. */
    @Test
    void aLockThatIsUnsureIsNotTakenForLost() throws InterruptedException {
        AtomicBoolean isUnsure = new AtomicBoolean(true);
        Lease lease = new ForwardingLease(belay.lock("shedlock:job").acquire()) {
            @Override
            public Duration extend(Duration duration) {
                if (isUnsure.get()) {
                    throw LeaseLostException.of(name(), token()).withMessage("The lease is unsure");
                }
                return super.extend(duration);
            }
        };
        JobLock lock = new JobLock(provider, "job", lease, new LossInterrupt(Thread.currentThread()), Duration.ZERO);
        assertThatThrownBy(() -> lock.extend(LONG, Duration.ZERO))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("The lease is unsure");
        isUnsure.set(false);
        lock.extend(LONG, Duration.ZERO).orElseThrow().unlock();
        assertThat(belay.lock("shedlock:job").isLocked()).isFalse();
    }

    @Test
    void aStoreThatCannotKeepALockRefusesAtLeast() {
        BelayLockProvider there = BelayLockProvider.of(withoutLeasesOfAClaimsOwn());
        assertThatThrownBy(() -> there.lock(job(LONG, Duration.ofSeconds(1))))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("lockAtLeastFor");
        SimpleLock lock = there.lock(job(LONG, Duration.ZERO)).orElseThrow();
        assertThatThrownBy(() -> lock.extend(LONG, Duration.ofSeconds(1)))
                .isInstanceOf(UnsupportedOperationException.class);
        lock.unlock();
        assertThat(belay.admin().inspect("shedlock:job").claims()).isEmpty();
    }

    /** A client that says of its store what one of ZooKeeper says. */
    private Belay withoutLeasesOfAClaimsOwn() {
        Capabilities there = Capabilities.none()
                .withPush(true)
                .withDurableTokens(true)
                .withExpiry(true)
                .withSharing(true);
        BelayAdmin admin = changed(BelayAdmin.class, belay.admin(), "capabilities", there);
        return changed(Belay.class, belay, "admin", admin);
    }

    /** Returns an object that does what another does, but answers one method otherwise. */
    private static <T> T changed(Class<T> type, T other, String changed, Object answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) ->
                        method.getName().equals(changed) ? answer : method.invoke(other, arguments)));
    }
}
