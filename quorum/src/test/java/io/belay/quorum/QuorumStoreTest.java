package io.belay.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.DistributedCountDownLatch;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a quorum does for one client or two, one thing after the other, in time that does not pass by itself. */
class QuorumStoreTest {
    private static final Duration LONGEST = Duration.ofSeconds(3);
    private static final long LEASE = LONGEST.toMillis();

    private final SimClock clock = new SimClock();
    private final Random random = new Random(7);
    private final List<FakeMember> members = new ArrayList<>();
    private int clients;

    private void members(int count) {
        for (int i = 0; i < count; i++) {
            members.add(new FakeMember(clock, random, random.nextInt(100_000), FakeMember.NONE));
        }
    }

    private SimClient client() {
        return client(LONGEST);
    }

    private SimClient client(Duration longest) {
        List<String> urls = new ArrayList<>();
        members.forEach(member -> urls.add("redis://:secret@h:" + urls.size()));
        QuorumUrl url = new QuorumUrl(urls, longest, Duration.ofMillis(200));
        SimClient client = new SimClient(++clients, clock, random, url, 0, members, granted -> {});
        clock.run(20);
        return client;
    }

    /** A client of that many members, which are no longer new. */
    private SimClient settled(int count) {
        members(count);
        SimClient client = client();
        clock.run(LEASE);
        return client;
    }

    private static State state(SimClient client) {
        Answer answer = client.last;
        return answer == null ? State.GONE : answer.state();
    }

    private long claimsOn(int member) {
        return members.get(member).resource(SimClient.NAME).claims().size();
    }

    @Test
    void aMajorityWillDo() {
        SimClient client = settled(5);
        members.get(0).crash();
        members.get(3).crash();
        client.enter(true);
        clock.run(10);
        assertThat(client.isHeld()).isTrue();
        client.leave();
        clock.run(10);
        assertThat(state(client)).isEqualTo(State.LEFT);
        assertThat(client.store.size()).isZero();
    }

    @Test
    void lessThanAMajorityOfAllIsAnErrorThatNamesTheMembersAndNoPassword() {
        SimClient client = settled(5);
        members.get(0).crash();
        members.get(3).crash();
        members.get(4).crash();
        client.enter(true);
        clock.run(10);
        assertThat(client.isHeld()).isFalse();
        assertThat(client.lastError)
                .hasMessageContaining("fewer than 3 of the 5 members")
                .hasMessageContaining("member 4 of 5 (redis://h:3): it is down")
                .hasMessageNotContaining("member 2")
                .hasMessageNotContaining("secret");
        assertThat(claimsOn(1)).isZero();
    }

    @Test
    void whoIsSilentCostsNothingWhereOthersDecide() {
        SimClient client = settled(5);
        members.get(1).hang();
        members.get(2).hang();
        client.enter(true);
        clock.run(15);
        assertThat(client.isHeld()).isTrue();
        members.get(1).resume();
        members.get(2).resume();
        client.leave();
        clock.run(15);
        for (int i = 0; i < 5; i++) {
            assertThat(claimsOn(i)).as("member %d", i).isZero();
        }
    }

    @Test
    void whoIsSilentIsWaitedForOnceAndThenHardlyAtAll() {
        SimClient client = settled(3);
        members.get(0).hang();
        members.get(1).flush();
        client.enter(true);
        clock.run(190);
        assertThat(client.last).isNull();
        clock.run(120); // it asks three times more: too few have said that somebody has it
        assertThat(state(client)).isEqualTo(State.BUSY);
        client.enter(true);
        clock.run(140);
        assertThat(state(client)).isEqualTo(State.BUSY);
    }

    /** As on a busy machine, once one member is dead. */
    @Test
    void whoIsSilentIsWaitedForWhereTheOthersAreNoMajority() {
        SimClient client = settled(3);
        members.get(0).crash();
        members.get(1).hang();
        client.enter(true);
        clock.run(210);
        assertThat(client.lastError).hasMessageContaining("does not answer within the member-timeout of 200 ms");
        clock.run(150); // it asks again after the first 50
        members.get(1).resume();
        clock.run(15);
        assertThat(client.isHeld()).isTrue();
    }

    /** One member still shows who has just released it elsewhere, and the one whose vote would decide is slow. */
    @Test
    void aTryIsNotRefusedByOneMemberWhileAnotherIsSilent() {
        SimClient client = settled(3);
        ClaimId trace = ClaimId.of(77, 1);
        members.get(1)
                .run(Request.Enter.of(
                        SimClient.NAME,
                        trace,
                        ClaimSpec.whole(LEASE * 1000).withIfFree(true),
                        0,
                        Owner.of("c", "h", 1, "t")));
        assertThat(claimsOn(1)).isOne();
        members.get(2).hang();
        client.enter(true);
        clock.run(201);
        members.get(1).run(Request.Leave.of(SimClient.NAME, trace, false));
        clock.run(100);
        assertThat(client.isHeld()).isTrue();
    }

    @Test
    void aTryIsRefusedAtOnceByAMajority() {
        SimClient holder = settled(3);
        holder.enter(true);
        clock.run(20);
        SimClient other = client();
        members.get(2).hang();
        int before = members.get(0).requests();
        other.enter(true);
        clock.run(10);
        assertThat(state(other)).isEqualTo(State.BUSY);
        assertThat(members.get(0).requests() - before).isLessThan(5);
    }

    @Test
    void whatFailedCanBeAskedForAgain() {
        SimClient client = settled(5);
        for (int i = 0; i < 3; i++) {
            members.get(i).hang();
        }
        client.enter(true); // which the client does again and again, as it gets no answer
        clock.run(210);
        assertThat(client.lastError).hasMessageContaining("does not answer within the member-timeout of 200 ms");
        for (int i = 0; i < 3; i++) {
            members.get(i).resume();
        }
        clock.run(100);
        assertThat(client.isHeld()).isTrue();
    }

    @Test
    void aNewMemberHasNoVoteUntilTheLongestLeaseIsOver() {
        members(3);
        SimClient client = client();
        client.enter(true);
        clock.run(20);
        assertThat(state(client)).isEqualTo(State.BUSY);
        client.enter(false);
        clock.run(LEASE - 100);
        assertThat(state(client)).isEqualTo(State.WAITING);
        clock.run(300);
        assertThat(client.isHeld()).isTrue();
    }

    @Test
    void aMemberThatWasWipedHasNoVoteForAnybody() {
        SimClient holder = settled(3);
        holder.enter(true);
        clock.run(20);
        assertThat(holder.isHeld()).isTrue();
        members.get(0).crash();
        members.get(0).restart();
        members.get(1).flush(); // nobody notices that by a broken connection
        SimClient known = client();
        SimClient fresh = client();
        known.enter(true);
        clock.run(300);
        fresh.enter(true);
        clock.run(300);
        assertThat(state(known)).isEqualTo(State.BUSY);
        assertThat(state(fresh)).isEqualTo(State.BUSY);
    }

    @Test
    void aWaiterHearsOfTheReleaseWithoutAsking() {
        SimClient holder = settled(5);
        SimClient waiter = client();
        holder.enter(true);
        clock.run(10);
        waiter.enter(false);
        clock.run(700);
        assertThat(state(waiter)).isEqualTo(State.WAITING);
        assertThat(members.get(0).resource(SimClient.NAME + "\u0007").claims()).hasSize(1);
        long token = holder.token();
        holder.leave();
        clock.run(15);
        assertThat(waiter.isHeld()).isTrue();
        assertThat(waiter.token()).isGreaterThan(token);
        waiter.leave();
        clock.run(15);
        for (FakeMember member : members) {
            assertThat(member.resource(SimClient.NAME).claims()).isEmpty();
            assertThat(member.resource(SimClient.NAME + "\u0007").claims()).isEmpty();
        }
        assertThat(waiter.store.size() + holder.store.size()).isZero();
    }

    /** A store may wait for its threads to end, and those run the quorum's steps: one would wait for itself. */
    @Test
    void membersAreClosedByWhoeverClosesTheQuorum() throws Exception {
        SimClient client = settled(3);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        Thread ofAMember = new Thread(() -> client.quorum.loop.run(() -> {
            inside.countDown();
            try {
                closing.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));
        ofAMember.start();
        inside.await();
        Thread closer = new Thread(client.store::close);
        closer.start();
        await().until(() -> closer.getState() == Thread.State.WAITING || !closer.isAlive());
        closing.countDown();
        closer.join();
        assertThat(members).extracting(member -> member.disconnectedBy).containsOnly(closer);
    }

    @Test
    void aDeadHoldersLockIsHadWhenItsLeaseIsOver() {
        SimClient holder = settled(5);
        SimClient waiter = client();
        holder.enter(true);
        clock.run(5);
        holder.store.close();
        waiter.enter(false);
        clock.run(LEASE - 20);
        assertThat(waiter.isHeld()).isFalse();
        clock.run(60);
        assertThat(waiter.isHeld()).isTrue();
    }

    private State leave(SimClient client, ClaimId id) {
        var told =
                client.store.send(Request.Leave.of(SimClient.NAME, id, false)).toCompletableFuture();
        clock.run(10);
        return told.join().state();
    }

    /** As of a command whose process was killed: others have ended it, and give its lock back. */
    @Test
    void aDeadHoldersLockIsGivenBackByAnother() {
        SimClient holder = settled(3);
        SimClient waiter = client();
        holder.enter(true);
        clock.run(10);
        holder.store.close();
        waiter.enter(false);
        clock.run(100);
        assertThat(state(waiter)).isEqualTo(State.WAITING);
        SimClient other = client();
        var seen = other.store.inspect(SimClient.NAME).toCompletableFuture();
        clock.run(10);
        ClaimId dead = seen.join().resource().orElseThrow().claims().get(0).id();
        assertThat(leave(other, dead)).isEqualTo(State.LEFT);
        clock.run(20);
        assertThat(waiter.isHeld()).isTrue();
        assertThat(leave(other, dead)).as("the next one's is another").isEqualTo(State.GONE);
        assertThat(waiter.isHeld()).isTrue();
        assertThat(claimsOn(0) + claimsOn(1) + claimsOn(2)).isGreaterThanOrEqualTo(2);
    }

    @Test
    void twoThatWaitHaveItOneAfterTheOther() {
        SimClient holder = settled(5);
        SimClient one = client();
        SimClient other = client();
        holder.enter(true);
        clock.run(10);
        one.enter(false);
        other.enter(false);
        clock.run(100);
        holder.leave();
        clock.run(1_000);
        assertThat(one.isHeld()).isNotEqualTo(other.isHeld());
        SimClient first = one.isHeld() ? one : other;
        SimClient second = first == one ? other : one;
        first.leave();
        clock.run(100);
        assertThat(second.isHeld()).isTrue();
    }

    @Test
    void aLeaveThatCouldNotBeDeliveredIsTriedAgain() {
        SimClient client = settled(3);
        client.enter(true);
        clock.run(10);
        members.get(2).crash();
        client.leave();
        clock.run(50);
        assertThat(state(client)).isEqualTo(State.LEFT);
        assertThat(claimsOn(2)).isEqualTo(1);
        members.get(2).comeBack();
        clock.run(600);
        assertThat(claimsOn(2)).isZero();
    }

    @Test
    void aHoldOutlivesTheRestartOfEveryMember() {
        SimClient client = settled(3);
        client.enter(true);
        clock.run(10);
        for (FakeMember member : members) {
            member.crash();
            clock.run(500);
            member.restart();
            clock.run(2 * LEASE);
            assertThat(client.isHeld()).isTrue();
        }
        assertThat(claimsOn(0) + claimsOn(1) + claimsOn(2)).isEqualTo(3);
    }

    @Test
    void aMemberThatFailsToCloseKeepsNoOtherOpen() {
        SimClient client = settled(3);
        members.get(0).thrownAtClose = new IllegalStateException("says the test");
        assertThatThrownBy(client.store::close).hasMessage("says the test");
        assertThat(members).extracting(member -> member.disconnectedBy).doesNotContainNull();
    }

    @Test
    void allMembersAreClosedThoughTheStepThatIsToFails() {
        SimClient client = settled(3);
        clock.thrownAtClose = new OutOfMemoryError("says the test");
        assertThatThrownBy(client.store::close).hasRootCause(clock.thrownAtClose);
        assertThat(members).extracting(member -> member.disconnectedBy).doesNotContainNull();
    }

    /** As with {@code belay run}: from {@code withAtLeast} on the engine fixes an end a lease from now, and renews no more. */
    @Test
    void aHoldWhoseEndIsMovedOnAndOnOutlivesTheRestartOfEveryMember() {
        SimClient client = settled(3);
        client.enter(true);
        clock.run(10);
        for (FakeMember member : members) {
            member.crash();
            runFixing(client, LEASE / 2);
            member.restart();
            runFixing(client, 2 * LEASE);
            assertThat(client.isHeld()).isTrue();
        }
        assertThat(claimsOn(0) + claimsOn(1) + claimsOn(2)).isEqualTo(3);
    }

    private void runFixing(SimClient client, long millis) {
        for (long ran = 0; ran < millis; ran += LEASE / 3) {
            client.fix(micros(LEASE));
            clock.run(LEASE / 3);
        }
    }

    @Test
    void noMemberKeepsBeyondItsEndWhatWasEnteredThereAgain() {
        SimClient client = settled(3);
        client.enter(true);
        clock.run(10);
        members.get(1).flush();
        client.fix(micros(1_100));
        clock.run(20);
        client.fix(micros(1_000));
        clock.run(20);
        assertThat(claimOn(1).deadline() - members.get(1).micros()).isBetween(micros(950), micros(1_000));
    }

    @Test
    void aHoldEndsWithTheMajority() {
        SimClient client = settled(3);
        client.enter(true);
        clock.run(10);
        members.get(0).flush();
        members.get(1).flush();
        clock.run(LEASE / 3 + 100);
        assertThat(client.isHeld()).isFalse();
        assertThat(client.isIdle()).isTrue();
        assertThat(client.store.size()).isZero();
    }

    /** As a reused address does, to which a store connects anew by itself. */
    private void lead(SimClient client, int member, int server) {
        Member led = client.quorum.members.get(member);
        client.store.use(led, members.get(server).connect(client.number, client.store.of(led)));
    }

    @Test
    void aServerBehindTwoMembersHasOneVote() {
        SimClient client = settled(3);
        members.get(2).crash();
        lead(client, 1, 0);
        client.enter(true);
        clock.run(300);
        assertThat(client.isHeld()).isFalse();
        assertThat(client.lastError)
                .hasMessageContaining("fewer than 2 of the 3 members")
                .hasMessageContaining("member 2 of 3 (redis://h:1): it is the same server as member 1 of 3");
        lead(client, 1, 1);
        clock.run(300);
        assertThat(client.isHeld()).isTrue();
    }

    @Test
    void theOneVoteOfAServerBehindTwoMembersCountsWithTheOthers() {
        SimClient client = settled(3);
        lead(client, 1, 0);
        client.enter(true);
        clock.run(10);
        assertThat(client.isHeld()).isTrue();
        clock.run(2 * LEASE);
        assertThat(client.isHeld()).isTrue();
        client.leave();
        clock.run(20);
        assertThat(state(client)).isEqualTo(State.LEFT);
        assertThat(claimsOn(0) + claimsOn(2)).isZero();
    }

    @Test
    void aHoldEndsOnceTwoMembersAreOneServer() {
        SimClient client = settled(3);
        client.enter(true);
        clock.run(10);
        lead(client, 1, 0);
        clock.run(2 * LEASE);
        assertThat(client.isHeld()).isTrue();
        members.get(2).crash();
        clock.run(LEASE);
        assertThat(client.isHeld()).isFalse();
    }

    /** As where a member is dead: the server has not taken back what it said. */
    @Test
    void whatAServerHasPromisedCountsThoughItsMemberIsLedToAnother() {
        SimClient client = settled(3);
        members.get(2).crash();
        client.enter(true);
        clock.run(10);
        lead(client, 1, 0);
        clock.run(LEASE * 3 / 4);
        assertThat(client.isHeld()).isTrue();
        clock.run(LEASE / 4);
        assertThat(client.isHeld()).isFalse();
    }

    @Test
    void anEndThatOneServerHasForTwoMembersDoesNotCount() {
        SimClient client = settled(3);
        client.enter(true, micros(1_000), Resource.WHOLE);
        clock.run(10);
        members.get(2).crash();
        lead(client, 1, 0);
        client.fix(micros(2_500));
        clock.run(300);
        assertThat(client.isFixed()).isFalse();
        clock.run(700);
        assertThat(client.isHeld()).isFalse();
    }

    @Test
    void aMemberWhoseStoreThrowsAnErrorCostsItsOwnVoteAlone() {
        SimClient client = settled(3);
        Store broken = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("capabilities")) {
                        return client.store.capabilities();
                    }
                    throw new NoClassDefFoundError("planned");
                });
        client.store.use(client.quorum.members.get(0), broken);
        client.enter(true);
        clock.run(10);
        assertThat(client.isHeld()).isTrue();
        clock.run(2 * LEASE);
        assertThat(client.isHeld()).isTrue();
    }

    @Test
    void aHolderHearsOfAReleaseByForce() {
        SimClient holder = settled(3);
        SimClient other = client();
        holder.enter(true);
        clock.run(10);
        State[] told = new State[1];
        other.store.send(Request.Evict.of(SimClient.NAME)).thenAccept(answer -> told[0] = answer.state());
        clock.run(20);
        assertThat(told[0]).isEqualTo(State.LEFT);
        assertThat(holder.isHeld()).isFalse();
        assertThat(holder.store.size()).isZero();
    }

    @Test
    void proposalsFollowWhatMembersSay() {
        members(2);
        members.add(new FakeMember(clock, random, 1_000_000, FakeMember.NONE)); // a second ahead
        SimClient client = client();
        clock.run(LEASE);
        client.enter(true);
        clock.run(10);
        long first = client.token();
        for (FakeMember member : members) {
            assertThat(member.resource(SimClient.NAME).claims())
                    .extracting(Claim::sequence)
                    .containsExactly(first);
        }
        client.leave();
        clock.run(10);
        members.get(2).crash();
        SimClient fresh = client(); // which knows nothing of the clock that was ahead
        fresh.enter(true);
        clock.run(10);
        assertThat(fresh.isHeld()).isTrue();
        assertThat(fresh.token()).isGreaterThan(first);
    }

    @Test
    void aClockFarAheadCostsItsOwnVoteAlone() {
        members(2);
        members.add(new FakeMember(clock, random, 3_600_000_000L, FakeMember.NONE));
        SimClient client = client();
        clock.run(LEASE);
        client.enter(true);
        clock.run(40);
        assertThat(client.isHeld()).isTrue();
        assertThat(claimsOn(2)).isZero();
    }

    /** Nothing is to be hoped of another proposal then, so that those that are far are waited for. */
    @ParameterizedTest
    @ValueSource(longs = {600_000_000, -600_000_000})
    void theWrongClockOfAMemberThatIsNearCostsItsOwnVoteAlone(long ahead) {
        members.add(new FakeMember(clock, random, ahead, FakeMember.NONE));
        SimClient client = settled(2);
        members.get(1).moveAway(20);
        members.get(2).moveAway(40);
        client.store.inspect(SimClient.NAME); // shows it how far they are
        clock.run(100);
        client.enter(true);
        clock.run(100);
        assertThat(client.isHeld()).isTrue();
        assertThat(claimsOn(0)).isZero();
    }

    /** The lock was had by a client with long trips, which proposes sequences farther ahead. */
    @Test
    void whoIsSlowIsNotSilentWhereOneIsAheadOfTheProposal() {
        SimClient client = settled(3);
        ClaimId id = ClaimId.of(77, 1);
        long last = clock.nanos() / 1000 + 500_000;
        for (FakeMember member : members) {
            ClaimSpec spec = ClaimSpec.whole(LEASE * 1000).withIfFree(true);
            member.run(Request.Enter.of(SimClient.NAME, id, spec, 0, SimClient.OWNER)
                    .withProposed(last));
            member.run(Request.Leave.of(SimClient.NAME, id, false));
        }
        members.get(1).moveAway(20);
        members.get(2).moveAway(40);
        client.enter(true);
        clock.run(100);
        assertThat(client.isHeld()).isTrue();
        assertThat(client.token()).isGreaterThan(last);
    }

    @Test
    void whoYieldsLetsTheOtherInAndNobodyElseIsAsked() {
        SimClient holder = settled(3);
        SimClient waiter = client();
        holder.enter(true);
        clock.run(10);
        long token = holder.token();
        int requests = members.get(0).requests();
        holder.yield();
        assertThat(holder.isHeld()).as("nobody waits").isTrue();
        assertThat(holder.token()).isGreaterThan(token);
        assertThat(members.get(0).requests()).isEqualTo(requests);
        waiter.enter(false);
        clock.run(10);
        token = holder.token();
        holder.yield();
        clock.run(20);
        assertThat(waiter.isHeld()).isTrue();
        assertThat(waiter.token()).isGreaterThan(token);
        assertThat(state(holder)).isEqualTo(State.WAITING);
        waiter.leave();
        clock.run(20);
        assertThat(holder.isHeld()).isTrue();
    }

    /** Others have the lock first again and again, so that it asks in vain more often than it is signalled. */
    @Test
    void whoHadItByATryAndLetOthersInHasItAgain() {
        SimClient holder = settled(3);
        SimClient waiter = client();
        holder.enter(true);
        clock.run(10);
        waiter.enter(false);
        clock.run(10);
        holder.yield();
        clock.run(100);
        assertThat(waiter.isHeld()).isTrue();
        for (int i = 0; i < 3; i++) {
            waiter.leave();
            waiter.enter(false); // who has just come may have it before those that wait
            clock.run(500);
            assertThat(waiter.isHeld()).as("the premise").isTrue();
        }
        waiter.leave();
        for (int i = 0; i < 8; i++) {
            clock.run(LEASE / 3);
            holder.renew(false); // as the engine does
        }
        clock.run(20);
        assertThat(holder.isHeld()).isTrue();
    }

    @Test
    void aFreshSequenceIsOnAMajority() {
        SimClient holder = settled(3);
        holder.enter(true);
        clock.run(10);
        long token = holder.token();
        members.get(1).crash();
        holder.renew(true);
        clock.run(10);
        assertThat(holder.isHeld()).isTrue();
        assertThat(holder.token()).isGreaterThanOrEqualTo(token + Claim.STICKY_SEQUENCES);
        assertThat(members.get(0).resource(SimClient.NAME).last()).isGreaterThanOrEqualTo(holder.token());
        assertThat(members.get(2).resource(SimClient.NAME).last()).isGreaterThanOrEqualTo(holder.token());
    }

    @Test
    void aLeaseOverTheLongestIsRefusedAndBothAreNamed() {
        SimClient client = settled(3);
        client.enter(true, 30_000_000, Resource.WHOLE);
        assertThat(client.last).isNotNull();
        assertThat(client.last.state()).isEqualTo(State.REFUSED);
        assertThat(client.last.refusal()).contains("lease of 30 s").contains("longest-lease of 3 s");
    }

    @Test
    void thereAreNeitherReadersNorPermits() {
        SimClient client = settled(3);
        client.enter(true, LEASE * 1000, 1);
        assertThat(client.last).isNotNull();
        assertThat(client.last.refusal()).contains("exclusive locks alone");
        Assertions.assertThatThrownBy(() -> client.store
                        .send(Request.Resize.of(SimClient.NAME, 3))
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("exclusive locks alone");
    }

    @Test
    void noSemaphoreAndNoLatchIsTakenForOneThatNobodyUses() {
        try (Belay belay = Belay.connect("quorum:memory:semaphores,memory:and,memory:latches")) {
            DistributedCountDownLatch latch = belay.countDownLatch("x");
            for (ThrowingCallable use : List.<ThrowingCallable>of(
                    latch::countDown,
                    latch::getCount,
                    latch::delete,
                    () -> latch.trySetCount(1),
                    () -> belay.semaphore("x", 3).available(),
                    () -> belay.joinSemaphore("x").total())) {
                Assertions.assertThatThrownBy(use)
                        .isInstanceOf(LockRefusedException.class)
                        .hasMessageContaining("'x'")
                        .hasMessageContaining("exclusive locks alone");
            }
        }
    }

    @Test
    void whoHasAnotherLongestLeaseThanOthersIsToldBoth() {
        String members = "quorum:memory:of,memory:two,memory:lengths";
        try (Belay first = Belay.connect(members)) {
            assertThat(first.lock("x").tryAcquire()).as("they began just now").isEmpty();
            Assertions.assertThatThrownBy(() -> {
                        try (Belay second = Belay.connect(members + "#longest-lease=90s")) {
                            second.lock("y").tryAcquire();
                        }
                    })
                    .hasMessageContaining("another longest-lease (theirs and this one's, in ms: 60000 90000)")
                    .hasMessageNotContaining("permits");
        }
    }

    @Test
    void whatIsToStayTakenForLongerThanTheLongestLeaseIsRefused() {
        Duration longer = Duration.ofSeconds(61);
        try (Belay belay = Belay.connect("quorum:memory:kept,memory:for,memory:long")) {
            for (ThrowingCallable use : List.<ThrowingCallable>of(
                    () -> belay.lock("x", LockOptions.defaults().withAtLeast(longer))
                            .tryAcquire(),
                    () -> belay.once("x", longer).run(() -> {}))) {
                Assertions.assertThatThrownBy(use)
                        .isInstanceOf(LockRefusedException.class)
                        .hasMessageContaining("'x'")
                        .hasMessageContaining("longest-lease of 60 s");
            }
        }
    }

    @Test
    void clientsThatDoNotAgreeOnTheLongestLeaseAreRefused() {
        settled(3);
        SimClient other = client(LONGEST.multipliedBy(2));
        other.enter(true, LEASE * 1000, Resource.WHOLE);
        clock.run(50);
        assertThat(other.isHeld()).isFalse();
        assertThat(other.lastError).hasMessageContaining("3000").hasMessageContaining("6000");
    }

    @Test
    void inspectShowsWhomAMajorityLists() throws Exception {
        SimClient client = settled(3);
        client.enter(true);
        clock.run(10);
        members.get(0).flush();
        var asked = client.store.inspect(SimClient.NAME).toCompletableFuture();
        clock.run(10);
        Store.Snapshot shown = asked.get();
        assertThat(shown.resource().orElseThrow().holders())
                .singleElement()
                .satisfies(claim -> assertThat(claim.id().number()).isEqualTo(1));
        members.get(1).flush();
        var again = client.store.inspect(SimClient.NAME).toCompletableFuture();
        clock.run(10);
        assertThat(again.get().resource()).isEmpty();
    }

    private static Owner shown(Store.Snapshot snapshot) {
        return snapshot.resource().orElseThrow().claims().get(0).owner();
    }

    @Test
    void whoHasTheLockNowIsShownAndChangesNothingElse() throws Exception {
        SimClient client = settled(3);
        client.enter(true);
        clock.run(10);
        long token = client.token();
        Claim before = members.get(2).resource(SimClient.NAME).claims().get(0);
        Owner next =
                SimClient.OWNER.withThread("next", "order 4711").withSince(7).withLease(LEASE);
        members.get(0).crash(); // it will not have heard
        client.describe(next);
        clock.run(10);
        assertThat(members.get(2).resource(SimClient.NAME).claims()).containsExactly(before.withOwner(next));
        members.get(0).comeBack();
        clock.run(10);
        assertThat(members.get(0).resource(SimClient.NAME).claims().get(0).owner())
                .isEqualTo(SimClient.OWNER);
        var asked = client.store.inspect(SimClient.NAME).toCompletableFuture();
        clock.run(10);
        assertThat(shown(asked.get())).isEqualTo(next);
        assertThat(client.isHeld()).isTrue();
        assertThat(client.token()).isEqualTo(token);

        client.describe(SimClient.OWNER.withSince(8));
        clock.run(10);
        client.leave();
        clock.run(10);
        for (int i = 0; i < 3; i++) {
            assertThat(claimsOn(i)).as("member %d", i).isZero();
        }
    }

    @Test
    void aMemberThatGetsTheClaimLaterIsToldWhoHasItNow() {
        SimClient client = settled(3);
        client.enter(true);
        clock.run(10);
        client.describe(SimClient.OWNER.withThread("next", ""));
        clock.run(10);
        members.get(2).flush();
        client.renew(false); // sees that it is gone
        clock.run(10);
        client.renew(false);
        clock.run(10);
        assertThat(members.get(2).resource(SimClient.NAME).claims())
                .singleElement()
                .satisfies(claim -> assertThat(claim.owner().thread()).isEqualTo("next"));
    }

    @Test
    void aDescriptionOfAnotherStayIsForNobody() {
        SimClient client = settled(3);
        client.enter(true);
        clock.run(10);
        int requests = members.get(0).requests();
        var answer = client.store
                .send(Request.Describe.of(
                        SimClient.NAME,
                        ClaimId.of(client.number, 1),
                        client.token() + 1,
                        SimClient.OWNER.withThread("next", "")))
                .toCompletableFuture();
        clock.run(10);
        assertThat(answer.join().state()).isEqualTo(State.GRANTED);
        assertThat(answer.join().sequence()).isEqualTo(client.token());
        assertThat(members.get(0).requests()).isEqualTo(requests);
    }

    /** Enters claims of that many names, each on the given members alone. */
    private void names(String prefix, int count, int... where) {
        for (int i = 0; i < count; i++) {
            for (int member : where) {
                members.get(member)
                        .run(Request.Enter.of(
                                prefix + i, ClaimId.of(77, i), ClaimSpec.whole(LEASE * 1_000_000), 0, SimClient.OWNER));
            }
        }
    }

    /** Lists names page by page, and does something after the first page. */
    private List<String> listed(SimClient client, String prefix, Runnable meanwhile) {
        List<String> all = new ArrayList<>();
        String cursor = "";
        for (int pages = 0; pages < 100; pages++) {
            var asked = client.store.names(prefix, cursor).toCompletableFuture();
            clock.run(210);
            Store.NamePage page = asked.join();
            all.addAll(page.names());
            if (page.next().isEmpty()) {
                return all;
            }
            cursor = page.next().get();
            if (pages == 0) {
                meanwhile.run();
            }
        }
        throw new AssertionError("no end");
    }

    @Test
    void theNamesOfAMajorityAreListed() {
        SimClient client = settled(5);
        names("a", 4, 0, 1, 2);
        names("b", 4, 2, 3, 4);
        names("c", 4, 0, 2, 4);
        List<String> all = listed(client, "", () -> {});
        for (String prefix : List.of("a", "b", "c")) {
            assertThat(all).contains(prefix + 0, prefix + 1, prefix + 2, prefix + 3);
            assertThat(listed(client, prefix, () -> {})).containsOnly(prefix + 0, prefix + 1, prefix + 2, prefix + 3);
        }
    }

    @Test
    void aMemberThatFailsWhileNamesAreListedIsPassedOver() {
        SimClient client = settled(5);
        names("x", 7, 0, 3, 4);
        members.get(1).hang();
        assertThat(listed(client, "x", () -> members.get(0).crash()))
                .contains("x0", "x1", "x2", "x3", "x4", "x5", "x6");
    }

    @Test
    void namesOfLessThanAMajorityAreAnError() {
        SimClient client = settled(5);
        members.get(0).crash();
        members.get(3).crash();
        members.get(4).crash();
        var first = client.store.names("x", "").toCompletableFuture();
        clock.run(10);
        var second = client.store.names("x", first.join().next().orElseThrow()).toCompletableFuture();
        clock.run(10);
        var third = client.store.names("x", second.join().next().orElseThrow()).toCompletableFuture();
        clock.run(10);
        Assertions.assertThatThrownBy(third::join)
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("2 of the 5 members of the quorum told their names, and it takes 3")
                .hasMessageContaining("member 4 of 5 (redis://h:3): it is down");
    }

    private Claim claimOn(int member) {
        return members.get(member).resource(SimClient.NAME).claims().get(0);
    }

    private static long micros(long millis) {
        return millis * 1000;
    }

    @Test
    void anEndIsMovedOnAllMembersAndRenewedNoMore() {
        SimClient client = settled(3);
        client.enter(true, micros(1_000), Resource.WHOLE);
        clock.run(10);
        client.fix(micros(2_500));
        clock.run(10);
        assertThat(client.isFixed()).isTrue();
        for (int i = 0; i < 3; i++) {
            assertThat(claimOn(i).fixedLease()).isEqualTo(micros(2_500));
            assertThat(claimOn(i).reweights()).isOne();
        }
        client.fix(micros(1_500));
        clock.run(10);
        assertThat(client.last.reweights()).isEqualTo(2);
        assertThat(client.last.deadline() - client.last.time()).isBetween(micros(1_480), micros(1_500));
        long deadline = claimOn(0).deadline();
        client.renew(false);
        client.renew(true);
        client.yield();
        clock.run(10);
        assertThat(claimOn(0).deadline()).isEqualTo(deadline);
        assertThat(client.token()).isEqualTo(claimOn(0).sequence());
        clock.run(1_500);
        SimClient other = client();
        other.enter(true);
        clock.run(10);
        assertThat(other.isHeld()).isTrue();
    }

    private static long left(Answer answer) {
        return answer.deadline() - answer.time();
    }

    /** For as long as that the client's own clock stood still, and the members' did not. */
    @Test
    void aFixedEndIsNearerAfterASuspension() {
        SimClient client = settled(3);
        client.enter(true, micros(1_000), Resource.WHOLE);
        clock.run(10);
        client.fix(micros(2_500));
        clock.run(10);
        clock.suspend(1_000);
        client.renew(false);
        clock.run(10);
        assertThat(left(client.last)).isBetween(micros(1_460), micros(1_500));
        clock.suspend(1_600);
        client.renew(false);
        clock.run(10);
        assertThat(state(client)).isEqualTo(State.GONE);
    }

    /** The client asks for an end that is refused, so that no member is asked. */
    @Test
    void anAnswerWithoutTheMembersIsNearerAfterASuspensionToo() {
        SimClient client = settled(3);
        client.enter(true);
        clock.run(10);
        clock.suspend(1_000);
        var answer = client.store
                .send(Request.Fix.of(
                        SimClient.NAME, ClaimId.of(client.number, 1), client.token(), 0, micros(LEASE + 1)))
                .toCompletableFuture();
        assertThat(left(answer.join())).isBetween(micros(1_970), micros(2_000));
    }

    /** Two of five have renewed it since: the majority rests on what a silent one has said before. */
    @Test
    void thePromiseOfASilentMemberIsNearerAfterASuspension() {
        SimClient client = settled(5);
        client.enter(true);
        clock.run(10);
        for (int i = 0; i < 3; i++) {
            members.get(i).hang();
        }
        clock.suspend(1_000);
        client.renew(false);
        clock.run(210);
        assertThat(client.lastError).hasMessageContaining("fewer than 3 of the 5 members");
        var answer = client.store
                .send(Request.Fix.of(
                        SimClient.NAME, ClaimId.of(client.number, 1), client.token(), 0, micros(LEASE + 1)))
                .toCompletableFuture();
        assertThat(left(answer.join())).isBetween(micros(1_700), micros(1_800));
    }

    /** A renewal has come to one member alone, and the others have let another client in. */
    @Test
    void whatAMinorityHadOfItAfterASuspensionIsNoRelease() {
        SimClient client = settled(3);
        SimClient other = client();
        client.enter(true);
        clock.run(500);
        members.get(2)
                .run(Request.Renew.of(
                        SimClient.NAME, claimOn(2).id(), claimOn(2).sequence(), micros(LEASE), 0, false));
        clock.suspend(LEASE - 250);
        other.enter(true);
        clock.run(10);
        assertThat(other.isHeld()).isTrue();
        client.leave();
        clock.run(10);
        assertThat(state(client)).isEqualTo(State.GONE);
    }

    @Test
    void anEndCountsOnceAMajorityHasIt() {
        SimClient client = settled(3);
        client.enter(true, micros(1_000), Resource.WHOLE);
        clock.run(10);
        members.get(0).hang();
        members.get(1).hang();
        client.fix(micros(2_500));
        clock.run(300);
        assertThat(client.isFixed()).isFalse();
        assertThat(client.lastError).hasMessageContaining("fewer than 2 of the 3 members");
        members.get(1).resume();
        clock.run(300);
        assertThat(client.isFixed()).isTrue();
        assertThat(client.last.deadline() - client.last.time()).isLessThanOrEqualTo(micros(2_500));
        assertThat(claimOn(1).reweights()).isOne();
        assertThat(claimOn(2).reweights()).isOne();
    }

    /** One member has missed the end before, so that their counts differ. */
    @Test
    void aMemberThatMissedAnEndTakesTheNextOne() {
        SimClient client = settled(3);
        client.enter(true);
        clock.run(10);
        members.get(0).crash();
        client.fix(micros(2_000));
        clock.run(10);
        assertThat(client.isFixed()).isTrue();
        members.get(0).comeBack();
        client.fix(micros(2_900));
        clock.run(10);
        for (int i = 0; i < 3; i++) {
            assertThat(claimOn(i).reweights()).as("member %d", i).isEqualTo(2);
        }
    }

    /** The members end it by themselves, and not before. */
    @Test
    void itStaysUntilItsEndThoughItsClientIsClosed() {
        SimClient holder = settled(3);
        holder.enter(true, micros(500), Resource.WHOLE);
        clock.run(10);
        holder.fix(micros(2_000));
        clock.run(10);
        holder.store.close();
        SimClient waiter = client();
        waiter.enter(false);
        clock.run(1_900);
        assertThat(waiter.isHeld()).isFalse();
        clock.run(300);
        assertThat(waiter.isHeld()).isTrue();
    }

    @Test
    void aMemberThatLostAFixedClaimDoesNotGetItAgain() {
        SimClient client = settled(3);
        client.enter(true);
        clock.run(10);
        client.fix(micros(2_500));
        clock.run(10);
        members.get(1).flush();
        client.renew(false);
        clock.run(10);
        client.renew(false);
        clock.run(10);
        assertThat(claimsOn(1)).isZero();
        assertThat(client.isHeld()).isTrue();
    }

    @Test
    void anOlderCopyIsSentToNobody() {
        SimClient client = settled(3);
        client.enter(true);
        clock.run(10);
        client.fix(micros(2_000));
        client.fix(micros(1_000));
        clock.run(10);
        assertThat(client.last.reweights()).isEqualTo(2);
        int requests = members.get(0).requests();
        var answer = client.store
                .send(Request.Fix.of(SimClient.NAME, ClaimId.of(client.number, 1), client.token(), 0, micros(2_000)))
                .toCompletableFuture();
        clock.run(10);
        assertThat(answer.join().reweights()).isEqualTo(2);
        assertThat(members.get(0).requests()).isEqualTo(requests);
        assertThat(claimOn(0).fixedLease()).isEqualTo(micros(1_000));
    }

    @Test
    void anEndFartherThanTheLongestLeaseIsRefusedAndBothAreNamed() {
        SimClient client = settled(3);
        client.enter(true);
        clock.run(10);
        var answer = client.store
                .send(Request.Fix.of(
                        SimClient.NAME, ClaimId.of(client.number, 1), client.token(), 0, micros(LEASE + 1)))
                .toCompletableFuture();
        clock.run(10);
        assertThat(answer.join().state()).isEqualTo(State.GRANTED);
        assertThat(answer.join().refusal()).contains("lease of 3001 ms").contains("longest-lease of 3 s");
        assertThat(claimOn(0).fixedLease()).isZero();
    }

    @Test
    void aClaimWhoseEndIsOverIsForgottenWithTheNextEnter() {
        SimClient client = settled(3);
        client.enter(true);
        clock.run(10);
        client.fix(micros(1_000));
        clock.run(10);
        assertThat(client.store.size()).isOne();
        clock.run(1_000);
        assertThat(client.isIdle()).isTrue();
        client.enter(true);
        clock.run(10);
        assertThat(client.isHeld()).isTrue();
        assertThat(client.store.size()).isOne();
        client.leave();
        clock.run(10);
        assertThat(client.store.size()).isZero();
    }

    @Test
    void inspectShowsAnEndThatAMemberHasMissed() throws Exception {
        SimClient client = settled(3);
        client.enter(true);
        clock.run(10);
        members.get(0).crash();
        client.fix(micros(1_000));
        clock.run(10);
        members.get(0).comeBack();
        clock.run(10);
        var asked = client.store.inspect(SimClient.NAME).toCompletableFuture();
        clock.run(10);
        Store.Snapshot shown = asked.get();
        Claim claim = shown.resource().orElseThrow().claims().get(0);
        assertThat(claim.fixedLease()).isEqualTo(micros(1_000));
        assertThat(claim.deadline() - shown.time()).isLessThanOrEqualTo(micros(1_000));
    }
}
