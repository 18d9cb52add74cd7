package io.belay.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Answer.State;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a lock that many clients want, and of those that wait for it, in time that does not pass by itself. */
class CrowdTest {
    private static final Duration LONGEST = Duration.ofSeconds(3);
    private static final long LEASE = LONGEST.toMillis();
    private static final String QUEUE = SimClient.NAME + "\u0006";

    private final SimClock clock = new SimClock();
    private final Random random = new Random(7);
    private final List<FakeMember> members = new ArrayList<>();
    private final Map<SimClient, Integer> grants = new HashMap<>();
    private int clients;
    /** Whether who has the lock gives it back at once, and wants it again. */
    private boolean again;

    @BeforeEach
    void settle() {
        for (int i = 0; i < 3; i++) {
            members.add(new FakeMember(clock, random, random.nextInt(100_000), FakeMember.NONE));
        }
        client();
        clock.run(LEASE);
    }

    private SimClient client() {
        QuorumUrl url = new QuorumUrl(List.of("fake:1", "fake:2", "fake:3"), LONGEST, Duration.ofMillis(200));
        SimClient client = new SimClient(++clients, clock, random, url, 0, members, this::granted);
        clock.run(20);
        return client;
    }

    private void granted(SimClient client) {
        grants.merge(client, 1, Integer::sum);
        if (again) {
            clock.later(1_000_000, () -> {
                client.leave();
                clock.later(random.nextInt(10_000_000), () -> client.enter(false));
            });
        }
    }

    private SimClient holding() {
        SimClient client = client();
        client.enter(false);
        clock.run(10);
        return client;
    }

    private SimClient waiting() {
        SimClient client = client();
        client.enter(false);
        clock.run(20);
        return client;
    }

    /** Fifty clients that want the lock, again and again, and have wanted it for a second. */
    private void crowd() {
        List<SimClient> crowd = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            crowd.add(client());
        }
        again = true;
        crowd.forEach(client -> client.enter(false));
        clock.run(1_000);
    }

    /** The member that keeps the queue. */
    private FakeMember keeper() {
        return members.stream()
                .filter(member ->
                        member.isWell() && !member.resource(QUEUE).claims().isEmpty())
                .findFirst()
                .orElseThrow();
    }

    private int requests() {
        return members.stream().mapToInt(FakeMember::requests).sum();
    }

    @Test
    void clientsThatTryTogetherTakeTurnsAndHardlyTroubleTheMembers() {
        crowd();
        grants.clear();
        int before = requests();
        clock.run(2_000);
        int all = grants.values().stream().mapToInt(Integer::intValue).sum();
        assertThat(all).as("grants in two seconds").isGreaterThan(400);
        assertThat((requests() - before) / all)
                .as("requests for each of %d grants", all)
                .isLessThan(50);
        assertThat(grants).as("those who had it").hasSize(50);
        assertThat(Collections.min(grants.values()))
                .as("the least of %s", grants.values())
                .isGreaterThan(all / 50 / 3);
    }

    @Test
    void oneOfThoseThatWaitIsToldOfARelease() {
        SimClient holder = holding();
        SimClient first = waiting();
        SimClient second = waiting();
        for (FakeMember member : members) {
            assertThat(member.resource(SimClient.NAME + "\u0007").claims()).hasSize(1);
        }
        holder.leave();
        clock.run(15);
        assertThat(first.isHeld()).isTrue();
        first.leave();
        clock.run(15);
        assertThat(second.isHeld()).isTrue();
        second.leave();
        clock.run(15);
        for (FakeMember member : members) {
            assertThat(member.resource(QUEUE).claims()).isEmpty();
        }
    }

    @Test
    void whoIsFirstAndDiesIsInTheWayOfOthersForTwoSecondsAtMost() {
        SimClient holder = holding();
        SimClient first = waiting();
        SimClient second = waiting();
        SimClient third = waiting();
        first.store.close();
        second.store.close();
        clock.run(50);
        holder.leave();
        clock.run(2_100);
        assertThat(third.isHeld()).isTrue();
    }

    @Test
    void whoIsFirstAndReachesNoMajorityIsInNobodysWay() {
        SimClient holder = holding();
        SimClient first = waiting();
        SimClient second = waiting();
        FakeMember keeper = keeper();
        members.stream().filter(member -> member != keeper).forEach(member -> member.cut(first.number));
        clock.run(2_300);
        holder.leave();
        clock.run(15);
        assertThat(second.isHeld()).isTrue();
    }

    @Test
    void whereTheKeeperOfTheQueueIsLostAnotherKeepsIt() {
        SimClient holder = holding();
        SimClient first = waiting();
        SimClient second = waiting();
        FakeMember lost = keeper();
        lost.crash();
        clock.run(1_000);
        assertThat(keeper()).isNotSameAs(lost);
        holder.leave();
        clock.run(20);
        assertThat(first.isHeld() || second.isHeld()).isTrue();
        (first.isHeld() ? first : second).leave();
        clock.run(20);
        assertThat(first.isHeld() || second.isHeld()).isTrue();
    }

    @Test
    void whereTheKeeperOfTheQueueIsSilentAnotherKeepsIt() {
        SimClient holder = holding();
        SimClient first = waiting();
        SimClient second = waiting();
        keeper().hang();
        clock.run(1_000);
        holder.leave();
        clock.run(50);
        assertThat(first.isHeld() || second.isHeld()).isTrue();
        (first.isHeld() ? first : second).leave();
        clock.run(50);
        assertThat(first.isHeld() && second.isHeld()).isFalse();
        assertThat(first.isHeld() || second.isHeld()).isTrue();
    }

    /** As its first word may be lost: it looks at the members by itself, though it is not the first. */
    @Test
    void whoWaitsBehindOthersIsToldThatThereIsNoMajority() {
        SimClient holder = holding();
        waiting();
        SimClient behind = waiting();
        FakeMember keeper = keeper();
        members.stream().filter(member -> member != keeper).forEach(FakeMember::crash);
        clock.run(2_300);
        behind.renew(false);
        clock.run(10);
        assertThat(behind.lastError).hasMessageContaining("fewer than 2 of the 3 members");
    }

    @Test
    void aSilentMemberHardlyDelaysACrowd() {
        crowd();
        members.get(1).hang();
        grants.clear();
        clock.run(1_000);
        assertThat(grants.values().stream().mapToInt(Integer::intValue).sum()).isGreaterThan(60);
    }

    /** Else two that have one member each would keep each other from it until the silent one's time is over. */
    @Test
    void whoWaitsKeepsNoVoteForTheSakeOfASilentMember() {
        SimClient client = client();
        members.get(2).hang();
        client.enter(true);
        clock.run(210);
        client.leave();
        clock.run(10);
        FakeMember others = members.get(1);
        others.run(Request.Enter.of(
                SimClient.NAME, ClaimId.of(77, 1), ClaimSpec.whole(LEASE * 1000).withIfFree(true), 0, SimClient.OWNER));
        client.enter(false);
        clock.run(3);
        assertThat(client.last).isNotNull();
        assertThat(client.last.state()).isEqualTo(State.WAITING);
    }

    /** Else it would have to refuse for a minute whatever it was asked while it was silent. */
    @Test
    void aMemberThatIsSilentIsNotAskedAgain() {
        SimClient client = client();
        FakeMember silent = members.get(2);
        silent.hang();
        for (int i = 0; i < 20; i++) {
            client.enter(true);
            clock.run(30);
            assertThat(client.isHeld()).isTrue();
            client.leave();
            clock.run(20);
        }
        silent.resume();
        clock.run(20);
        Resource record = silent.resource(SimClient.NAME);
        assertThat(record.claims()).isEmpty();
        assertThat(record.tombstones()).as("200 ms passed until it was silent").hasSizeLessThan(6);
        client.enter(true);
        clock.run(20);
        client.leave();
        clock.run(20);
        client.enter(true);
        clock.run(20);
        assertThat(silent.resource(SimClient.NAME).claims())
                .as("it has its vote again")
                .hasSize(1);
    }

    /** The timers are the first to go on then, and the answers that have come meanwhile are read a moment later. */
    @Test
    void afterAPauseOfItsProcessAClientTakesNoMemberForSilent() {
        SimClient holder = holding();
        SimClient waiter = waiting();
        SimClient other = client();
        for (int i = 0; i < 100; i++) {
            clock.run(20);
            members.forEach(FakeMember::hang);
            other.enter(true);
            clock.run(100);
            clock.pause(300);
            clock.run(0);
            members.forEach(FakeMember::resume);
            clock.run(15);
            for (SimClient client : List.of(holder, waiter, other)) {
                assertThat(client.quorum.members).allMatch(Member::isWell);
            }
            assertThat(other.last).isNotNull();
            assertThat(other.last.state()).isEqualTo(State.BUSY);
        }
        assertThat(holder.isHeld()).isTrue();
    }

    /** Also where the others decide before it has answered. */
    @Test
    void aMemberThatHasAnsweredAgainIsAskedAsTheOthersAre() {
        SimClient client = client();
        FakeMember away = members.get(2);
        away.crash();
        client.store.inspect(SimClient.NAME);
        clock.run(20);
        away.comeBack();
        away.hang();
        client.enter(true);
        clock.run(20);
        assertThat(client.isHeld()).isTrue();
        away.resume();
        clock.run(250); // the time in which it was to answer is over
        assertThat(client.quorum.members.get(2).isWell()).isTrue();
    }

    /** Has all try at one instant, again and again: one has it each time, and the others are told that it is taken. */
    private void oneOfThemHasItEachTime(List<SimClient> all, int times, long millis) {
        for (int i = 0; i < times; i++) {
            all.forEach(client -> client.enter(true));
            clock.run(millis);
            assertThat(all.stream().filter(SimClient::isHeld)).as("who has it").hasSize(1);
            assertThat(all).filteredOn(client -> !client.isHeld()).allMatch(SimClient::isIdle);
            all.forEach(SimClient::leave);
            clock.run(100);
        }
    }

    /** Else each is often told that another has it, of a lock that nobody has. */
    @Test
    void ofSeveralThatTryAtOneInstantOneHasIt() {
        oneOfThemHasItEachTime(List.of(client(), client(), client(), client()), 200, 500);
    }

    /** Each first has the vote of the member nearby, however often it tries after pauses shorter than the way to another. */
    @Test
    void ofSeveralInPlacesFarFromEachOtherThatTryAtOneInstantOneHasIt() {
        List<SimClient> all = List.of(client(), client(), client());
        for (SimClient client : all) {
            for (FakeMember member : members) {
                member.moveAway(client.number, all.indexOf(client) == members.indexOf(member) ? 0 : 15);
            }
        }
        oneOfThemHasItEachTime(all, 50, 2_000);
    }

    /** Else the engine would take members for silent that answer all the while; and nearly always one has it all the same. */
    @Test
    void aTryEndsWithinTwoSecondsThoughMembersAreSlow() {
        List<SimClient> all = List.of(client(), client(), client());
        for (SimClient client : all) {
            members.forEach(member -> member.moveAway(client.number, 75));
            members.get(all.indexOf(client)).moveAway(client.number, 15);
        }
        int had = 0;
        for (int i = 0; i < 100; i++) {
            all.forEach(client -> client.enter(true));
            clock.run(2_000);
            int holders = (int) all.stream().filter(SimClient::isHeld).count();
            assertThat(holders).isLessThan(2);
            had += holders;
            assertThat(all).filteredOn(client -> !client.isHeld()).allMatch(SimClient::isIdle);
            all.forEach(SimClient::leave);
            clock.run(500);
        }
        assertThat(had).as("how often one of them has it").isGreaterThan(95);
    }

    @Test
    void aTryThatHasAMemberIsRefusedAtOnceWhereAMajorityListsAHolder() {
        Request.Enter passing = Request.Enter.of(
                SimClient.NAME, ClaimId.of(77, 1), ClaimSpec.whole(LEASE * 1000).withIfFree(true), 0, SimClient.OWNER);
        FakeMember free = members.get(2);
        free.run(passing);
        SimClient holder = holding();
        assertThat(holder.isHeld()).isTrue();
        free.run(Request.Leave.of(SimClient.NAME, passing.id(), false));
        SimClient other = client();
        int before = requests();
        other.enter(true);
        clock.run(20);
        assertThat(other.last).isNotNull();
        assertThat(other.last.state()).isEqualTo(State.BUSY);
        assertThat(requests() - before)
                .as("requests for one attempt at each member")
                .isLessThan(10);
    }

    @Test
    void aMemberThatIsAwayIsNotToForgetWhatItWasNeverAsked() {
        SimClient client = client();
        FakeMember away = members.get(2);
        away.crash();
        for (int i = 0; i < 20; i++) {
            client.enter(true);
            clock.run(5);
            assertThat(client.last).isNotNull();
            assertThat(client.last.state()).isEqualTo(State.GRANTED);
            client.leave();
            clock.run(5);
        }
        away.comeBack();
        clock.run(1_000);
        assertThat(away.resource(SimClient.NAME).tombstones()).hasSizeLessThan(2);
    }
}
