package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.Inspection;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.LossReason;
import io.belay.OncePerPeriod;
import io.belay.ReleaseOutcome;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The contract of leases: how they last, how they end, and what becomes of a release. */
abstract class LeaseContract extends TwoClients {
    /** A client that enters claims and is not heard of again. */
    private static final long DEAD = 0x0dead;

    /** The store's clock is not this one: 1 % of the time and 2 ms is what they may differ by. */
    private long atLeast() {
        return premise.lease().toNanos() / 100 * 99 - 2_000_000;
    }

    @Test
    void aHeldLeaseIsRenewedPastItsEndAndSoIsAWait() throws Exception {
        Lease held = a.lock("x", brief()).acquire();
        CompletableFuture<Lease> waiting = queued(b.lock("x", brief()));
        Thread.sleep(premise.lease().multipliedBy(5).dividedBy(4).toMillis());
        premise.holds(held);
        staysUndone(waiting);
        giveBack(held);
        giveBack(soon(waiting));
    }

    @Test
    void aClientTellsWhetherAClaimHasALeaseOfItsOwn() {
        assertThat(a.admin().capabilities().leasePerClaim()).isEqualTo(spec.leasePerClaim());
    }

    @Test
    void aFixedLeaseEndsByItselfAndALateReleaseHarmsNobody() throws Exception {
        assumeLeasePerClaim();
        Lease first =
                a.lock("x", options().withFixedLease(Duration.ofMillis(300))).acquire();
        CompletableFuture<LeaseLostException> told = loss(first);
        Lease next = soon(queued(b.lock("x")));
        assertThat(first.isHeld()).as("held while another one holds it").isFalse();
        assertThat(next.token()).isGreaterThan(first.token());
        assertThat(told.get(soon(), TimeUnit.SECONDS)).hasMessageContaining("'x'");
        assertThat(first.remaining()).isZero();
        assertThat(first.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
        assertThat(a.lock("x").tryAcquire()).isEmpty();
        giveBack(next);
    }

    @Test
    void aFixedLeaseThatWasWaitedForStartsWhenItIsHad() throws Exception {
        assumeLeasePerClaim();
        Lease held = a.lock("x").acquire();
        CompletableFuture<Lease> waiting = queued(b.lock("x", options().withFixedLease(premise.lease())));
        Thread.sleep(premise.lease().plusMillis(200).toMillis());
        giveBack(held);
        Lease fixed = soon(waiting);
        Optional<Lease> other = a.lock("x").tryAcquire();
        premise.holds(fixed.isHeld(), "a fixed lease that has just begun is held");
        assertThat(other).isEmpty();
        giveBack(soon(a.lock("x").acquireAsync()));
        assertThat(fixed.isHeld()).isFalse();
    }

    /** Extends a lease that has just begun. */
    private Duration extended(Lease held, Duration by) {
        try {
            return held.extend(by);
        } catch (LeaseLostException e) {
            premise.holds(false, "a lease that has just begun is extended before it ends");
            throw e;
        }
    }

    /** Has a hold end that soon. */
    private Duration shortened(Lease held, Duration to) {
        try {
            return held.extend(to);
        } catch (LeaseLostException e) {
            premise.happens(false, "the store answers before the end that it was asked for");
            throw e;
        }
    }

    @Test
    void aFixedLeaseEndsWhenItsHolderSays() throws Exception {
        assumeLeasePerClaim();
        Duration brief = premise.lease();
        Lease held = a.lock("x", options().withFixedLease(brief)).acquire();
        CompletableFuture<LeaseLostException> told = loss(held);
        Duration longer = lease(Duration.ofMinutes(5));
        assertThat(extended(held, longer)).isGreaterThan(longer.dividedBy(2));
        CompletableFuture<Lease> next = queued(b.lock("x"));
        Thread.sleep(brief.plusMillis(100).toMillis());
        assertThat(held.isHeld()).isTrue();
        assertThat(next).isNotDone();
        assertThat(shortened(held, brief)).isLessThanOrEqualTo(brief);
        assertThat(soon(next).token()).isGreaterThan(held.token());
        assertThat(told.get(soon(), TimeUnit.SECONDS).reason()).contains(LossReason.ENDED);
        giveBack(next.join());
    }

    @Test
    void theLongestHoldEndsWhenItsHolderSays() throws Exception {
        Duration brief = premise.lease();
        Lease held = a.lock("x", options().withMaxHold(brief)).acquire();
        CompletableFuture<LeaseLostException> told = loss(held);
        extended(held, Duration.ofMinutes(5));
        CompletableFuture<Lease> next = queued(b.lock("x"));
        Thread.sleep(brief.plusMillis(100).toMillis());
        premise.holds(held);
        shortened(held, brief);
        giveBack(soon(next));
        assertThat(told.get(soon(), TimeUnit.SECONDS).reason()).contains(LossReason.MAX_HOLD);
    }

    @Test
    void whatIsGivenBackStaysTakenUntilItsTime() throws Exception {
        assumeLeasePerClaim();
        Lease held = a.lock("x").acquire();
        CompletableFuture<Lease> home = a.lock("x").acquireAsync();
        CompletableFuture<Lease> elsewhere = queued(b.lock("x"));
        long before = System.nanoTime();
        isGivenBack(held.releaseAfter(premise.lease()));
        assertThat(held.isHeld()).isFalse();
        List<Inspection.Claim> kept = b.admin().inspect("x").claims();
        premise.happens(System.nanoTime() - before < atLeast(), "the store answers before the lock's time is over");
        assertThat(kept.get(0).client()).isEqualTo("a");
        // Without a queue whoever looks first has it, also who waits in the same client.
        Lease first = soon(spec.queues() ? elsewhere : elsewhere.applyToEither(home, Function.identity()));
        assertThat(System.nanoTime() - before).isGreaterThan(atLeast());
        giveBack(first);
        giveBack(soon(first == elsewhere.getNow(null) ? home : elsewhere));
    }

    @Test
    void itStaysTakenThoughItsClientIsClosed() throws Exception {
        assumeLeasePerClaim();
        long before = System.nanoTime();
        try (Belay brief = connect("brief")) {
            giveBack(brief.lock("x", options().withAtLeast(premise.lease())).acquire());
            assertThat(brief.lock("held", options().withAtLeast(premise.lease()))
                            .acquire()
                            .isHeld())
                    .isTrue();
        }
        for (String name : List.of("x", "held")) {
            Optional<Lease> early = b.lock(name).tryAcquire();
            premise.holds(
                    early.isEmpty()
                            || Duration.ofNanos(System.nanoTime() - before).compareTo(premise.lease()) < 0,
                    "a client is closed before the time is over for which its locks stay taken");
            assertThat(early).isEmpty();
        }
        giveBack(soon(b.lock("x").acquireAsync()));
        giveBack(soon(b.lock("held").acquireAsync()));
        assertThat(System.nanoTime() - before).isGreaterThan(atLeast());
    }

    /** One that fails leaves the name to others at once; one that has run does not, also if its client is closed. */
    @Test
    void anActionRunsOnceInAPeriod() throws Exception {
        assumeLeasePerClaim();
        Duration period = lease(Duration.ofMinutes(5));
        OncePerPeriod there = b.once("x", period);
        assertThatThrownBy(() -> answered(() -> there.run(() -> {
                    throw new IllegalStateException("on purpose");
                })))
                .hasMessage("on purpose");
        long before;
        try (Belay brief = connect("brief")) {
            eventually().until(() -> brief.once("x", period).run(() -> {}));
            assertThat(answered(() -> there.run(() -> {}))).isFalse();
            assertThat(there.lastRun()).map(Inspection.Claim::client).hasValue("brief");
            before = System.nanoTime();
            assertThat(brief.once("y", premise.lease()).run(() -> {})).isTrue();
        }
        assertThat(answered(() -> there.run(() -> {}))).isFalse();
        eventually().until(() -> b.once("y", premise.lease()).run(() -> {}));
        assertThat(System.nanoTime() - before).isGreaterThan(atLeast());
    }

    @Test
    void maxHoldEndsALeaseThatWouldBeRenewed() throws Exception {
        Lease hung = a.lock("x", options().withMaxHold(Duration.ofMillis(300))).acquire();
        CompletableFuture<LeaseLostException> told = loss(hung);
        Lease next = soon(queued(b.lock("x")));
        assertThat(hung.isHeld()).isFalse();
        assertThat(told.get(soon(), TimeUnit.SECONDS)).hasMessageContaining("maxHold");
        assertThatThrownBy(hung::ensureHeld).isInstanceOf(LeaseLostException.class);
        giveBack(next);
    }

    @Test
    void aForcedReleaseIsToldAndServesTheNext() throws Exception {
        // A lease so long that no renewal tells what was not pushed.
        Lease held =
                a.lock("x", options().withLease(lease(Duration.ofMinutes(5)))).acquire();
        CompletableFuture<LeaseLostException> told = loss(held);
        CompletableFuture<Lease> next = queued(b.lock("x"));
        assertThat(b.onBehalfOf("somebody").admin().forceRelease("x")).isTrue();
        LeaseLostException loss = told.get(soon(), TimeUnit.SECONDS);
        assertThat(loss).hasMessageContaining("'x'");
        assertThat(loss.reason()).contains(LossReason.FORCED);
        premise.happens(loss.forcedBy().isPresent(), "who took it away is read within half a second");
        assertThat(loss.forcedBy())
                .hasValueSatisfying(by -> assertThat(by).startsWith("b (").endsWith("for somebody)"));
        assertThat(held.isHeld()).isFalse();
        assertThat(held.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
        assertThat(soon(next).token()).isGreaterThan(held.token());
        giveBack(next.join());
        if (spec.queues()) {
            assertThat(b.admin().forceRelease("x")).isFalse();
        } else {
            // A release is told when most of the store has it; what is left of it goes soon.
            eventually().until(() -> !b.admin().forceRelease("x"));
        }
    }

    /** The lock goes on inside the first client, which tells the store so with its next renewal. */
    @Test
    void othersSeeWhoHasTheLockNow() throws Exception {
        LockOptions brief = options().withLease(lease(Duration.ofSeconds(3)));
        Lease first = a.onBehalfOf("first").lock("x", brief).acquire();
        CompletableFuture<Lease> second =
                a.onBehalfOf("second").lock("x", brief).acquireAsync();
        List<Inspection.Claim> seen = b.admin().inspect("x").claims();
        premise.holds(first);
        assertThat(seen.get(0).behalf()).isEqualTo("first");
        giveBack(first);
        Lease now = soon(second);
        eventually().untilAsserted(() -> {
            Inspection.Claim holder = b.admin().inspect("x").claims().get(0);
            assertThat(holder.behalf()).isEqualTo("second");
            assertThat(holder.client()).isEqualTo("a");
            assertThat(holder.held())
                    .hasValueSatisfying(held -> assertThat(held).isLessThanOrEqualTo(holder.age()));
        });
        giveBack(now);
    }

    @Test
    void whoListensLateIsToldAtOnceAndWhoReleasesIsNotToldAtAll() throws Exception {
        Lease released = a.lock("y").acquire();
        CompletableFuture<LeaseLostException> never = loss(released);
        isGivenBack(released.release());
        assertThat(released.release()).as("the first outcome again").isEqualTo(ReleaseOutcome.RELEASED);
        Lease lost = a.lock("x", options().withMaxHold(Duration.ofMillis(200))).acquire();
        loss(lost).get(soon(), TimeUnit.SECONDS);
        loss(lost).get(soon(), TimeUnit.SECONDS);
        staysUndone(never);
    }

    @Test
    void aReleaseThatIsNotAwaitedGetsThrough() throws Exception {
        CompletableFuture<Lease> waiting;
        try (Lease held = a.lock("x").acquire()) {
            waiting = queued(b.lock("x"));
            CompletableFuture<ReleaseOutcome> outcome = held.releaseAsync();
            assertThat(held.isHeld()).isFalse();
            isGivenBack(outcome.get(soon(), TimeUnit.SECONDS));
        }
        giveBack(soon(waiting));
    }

    @Test
    void tokensRiseWhateverEndsALease() throws Exception {
        List<Long> tokens = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 4; i++) {
            Lease released = (i % 2 == 0 ? a : b).lock("x").acquire();
            tokens.add(released.token());
            giveBack(released);
            tokens.add(b.lock("x").acquire().token());
            assertThat(a.admin().forceRelease("x")).isTrue();
            if (spec.leasePerClaim()) {
                tokens.add(a.lock("x", options().withFixedLease(premise.lease().dividedBy(4)))
                        .acquire()
                        .token());
            }
            Lease handedOver = soon(b.lock("x").acquireAsync());
            tokens.add(handedOver.token());
            giveBack(handedOver);
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aDeadHolderKeepsTheLockNoLongerThanItsLease() throws Exception {
        assumeClaimsExpire();
        try (Store store = spec.open(DEAD, new Deaf())) {
            assertThat(enter(store, ClaimSpec.whole(500_000))).isEqualTo(Answer.State.GRANTED);
            giveBack(soon(b.lock("x").acquireAsync()));
        }
    }

    @Test
    void aDeadWaiterIsPassedOver() throws Exception {
        isPassedOver(0);
    }

    /** For how long it would have held is nobody's loss before it does. */
    @Test
    void aDeadWaiterThatWouldHaveHeldForLongIsPassedOver() throws Exception {
        assumeLeasePerClaim();
        isPassedOver(lease(Duration.ofMinutes(5)).toSeconds() * 1_000_000);
    }

    private void isPassedOver(long fixedLease) throws Exception {
        assumeClaimsExpire();
        assumeTrue(spec.queues(), "the store keeps no queue");
        Lease held = a.lock("x").acquire();
        try (Store store = spec.open(DEAD, new Deaf())) {
            ClaimSpec wanted = ClaimSpec.whole(spec.passesOverTheSilent() ? 300_000_000 : 2_000_000);
            assertThat(enter(store, wanted.withFixedLease(fixedLease))).isEqualTo(Answer.State.WAITING);
            CompletableFuture<Lease> behind = b.lock("x").acquireAsync();
            // Not by their number: the dead one may be gone by then.
            eventually()
                    .until(() -> a.admin().inspect("x").claims().stream()
                            .anyMatch(claim -> claim.client().equals("b")));
            giveBack(held);
            giveBack(soon(behind));
        }
    }

    private static Answer.State enter(Store store, ClaimSpec wanted) {
        Owner owner = Owner.of("dead", "host", 1, "thread");
        Request.Enter enter = Request.Enter.of("x", ClaimId.of(DEAD, 1), wanted, 0, owner);
        return store.send(enter).toCompletableFuture().join().state();
    }

    private static final class Deaf implements Store.Listener {
        @Override
        public void pushed(Push push) {
            // The dead do not hear.
        }

        @Override
        public void reconnected() {
            // Nor here.
        }
    }
}
