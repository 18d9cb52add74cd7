package io.belay.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Proof;
import io.belay.spi.Answer.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Long random histories on the reference model, with all that must hold after each step. */
@Tag("search")
class RandomHistoriesTest {
    private static final Owner OWNER = Owner.of("c", "h", 1, "t");
    private static final int STEPS = 20_000;

    private Random random;
    private int capacity;
    private long now;
    private long number;
    private List<Request.Enter> entered;
    private Resource state;
    private Step step;

    static LongStream seeds() {
        return LongStream.concat(LongStream.rangeClosed(1, Proof.times(5, 20)), LongStream.of(new Random().nextLong()));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyStepKeepsThePromises(long seed) {
        random = new Random(seed);
        capacity = random.nextBoolean() ? Resource.WHOLE : 1 + random.nextInt(6);
        now = random.nextInt(1_000_000);
        number = 0;
        entered = new ArrayList<>();
        state = Resource.UNUSED;
        for (int i = 0; i < STEPS; i++) {
            now += random.nextInt(4) > 0 ? random.nextInt(300_000) : random.nextInt(4_000_000);
            Request request = request();
            step = request.applyTo(state, now);
            try {
                shape();
                grants(request);
                answer(request);
            } catch (AssertionError e) {
                throw new AssertionError(
                        "seed " + seed + ", step " + i + ": " + request + " on " + state + " at " + now + " -> " + step,
                        e);
            }
            state = step.next();
        }
    }

    private Request request() {
        int kind = random.nextInt(100);
        if (kind < 30 || entered.isEmpty()) {
            return enter();
        }
        Request.Enter known = entered.get(entered.size() - 1 - random.nextInt(Math.min(8, entered.size())));
        ClaimId id = known.id();
        Claim claim =
                state.claims().stream().filter(c -> c.id().equals(id)).findAny().orElse(null);
        long sequence = claim == null || random.nextInt(8) == 0 ? random.nextInt(1_000) : claim.sequence();
        int reweights = claim == null || random.nextInt(8) == 0 ? random.nextInt(3) : claim.reweights();
        if (kind < 40) {
            return known;
        } else if (kind < 55) {
            return Request.Leave.of("r", id, random.nextBoolean());
        } else if (kind < 75) {
            return Request.Renew.of("r", id, sequence, lease(), random.nextInt(3), random.nextInt(4) == 0);
        } else if (kind < 85) {
            return Request.Yield.of("r", id, sequence, lease(), random.nextInt(3));
        } else if (kind < 88) {
            return Request.Fix.of("r", id, sequence, reweights + random.nextInt(2), lease());
        } else if (kind < 93) {
            return Request.Reweight.of("r", id, sequence, reweights, weight());
        } else if (kind < 97) {
            return Request.Skip.of("r", id, sequence);
        } else if (kind < 99) {
            capacity = capacity == Resource.WHOLE ? capacity : 1 + random.nextInt(6);
            return Request.Resize.of("r", capacity);
        }
        return Request.Evict.of("r");
    }

    private Request.Enter enter() {
        long hold = random.nextInt(4) == 0 ? lease() : 0;
        Request.Enter enter = Request.Enter.of(
                        "r",
                        ClaimId.of(random.nextInt(3), ++number),
                        ClaimSpec.of(random.nextInt(20) == 0 ? 7 : capacity, weight(), lease())
                                .withFixedLease(hold)
                                .withIfFree(random.nextInt(5) == 0)
                                .withSticky(random.nextInt(3) == 0),
                        random.nextInt(3),
                        OWNER)
                .withProposed(random.nextInt(3) == 0 ? Math.max(1, now + random.nextInt(4_000_000) - 500_000) : 0);
        entered.add(enter);
        return enter;
    }

    private long lease() {
        return 500_000 + random.nextInt(6_000_000);
    }

    private int weight() {
        return random.nextBoolean() ? 1 : capacity == Resource.WHOLE ? capacity : 1 + random.nextInt(capacity);
    }

    private void shape() {
        Resource next = step.next();
        long weight = next.holders().stream().mapToLong(Claim::weight).sum();
        long before = state.holders().stream().mapToLong(Claim::weight).sum();
        // A shrink first grants what the old capacity still had room for, others having expired.
        long room = Math.max(Math.max(next.capacity(), state.capacity()), before);
        assertThat(weight).isLessThanOrEqualTo(room);
        if (next.granted() < next.claims().size()) {
            assertThat(weight + next.claims().get(next.granted()).weight())
                    .as("the next one does not fit")
                    .isGreaterThan(next.capacity());
        }
        assertThat(next.last()).isGreaterThanOrEqualTo(state.last());
        for (Claim claim : next.claims()) {
            Claim old = find(state, claim.id());
            boolean fresh = old == null || old.sequence() != claim.sequence();
            if (fresh) {
                assertThat(claim.sequence()).isGreaterThan(state.last()).isGreaterThanOrEqualTo(now);
                assertThat(next.last())
                        .as("the sequences of a sticky claim are its own")
                        .isGreaterThanOrEqualTo(claim.sequence() + (claim.sticky() ? Claim.STICKY_SEQUENCES - 1 : 0));
            }
            assertThat(claim.deadline()).as("expired").isGreaterThan(now);
            assertThat(next.claims().indexOf(claim) >= next.granted() && claim.pending())
                    .as("waits and was granted")
                    .isFalse();
        }
    }

    /** Granted claims only go for a reason, waiting ones too, and who is granted unasked is told. */
    private void grants(Request request) {
        ClaimId named = request instanceof Request.OfClaim about ? about.id() : null;
        for (Claim claim : state.claims()) {
            boolean held = state.holders().contains(claim);
            boolean mayGo = claim.deadline() <= now
                    || (claim.id().equals(named)
                            && (request instanceof Request.Leave
                                    || request instanceof Request.Skip
                                    || (request instanceof Request.Yield && claim.weight() > state.capacity())))
                    || (held && request instanceof Request.Evict)
                    || (request instanceof Request.Resize
                            && !held
                            && claim.weight() > step.next().capacity())
                    // Granted because others expired, then evicted in one step.
                    || request instanceof Request.Evict;
            if (!mayGo) {
                assertThat(find(step.next(), claim.id())).as("gone").isNotNull();
                assertThat(!held
                                || request instanceof Request.Yield
                                        && claim.id().equals(named)
                                || isGranted(step.next(), claim.id()))
                        .as("no longer granted")
                        .isTrue();
            }
        }
        for (Claim claim : step.next().holders()) {
            boolean handedOver = !isGranted(state, claim.id()) && claim.pending();
            assertThat(step.granted().contains(claim))
                    .as("pushed")
                    .isEqualTo(handedOver && !claim.id().equals(named));
            if (handedOver) {
                assertThat(claim.deadline()).as("pick-up").isLessThanOrEqualTo(now + Resource.PICK_UP);
            }
        }
        boolean asked = step.answer().place() == 1 || step.answer().state() == State.BUSY;
        assertThat(step.wanted())
                .containsExactlyElementsOf(step.next().holders().stream()
                        .filter(c -> asked && c.sticky() && !step.granted().contains(c))
                        .toList());
        assertThat(step.ended()).allMatch(c -> find(step.next(), c.id()) == null);
    }

    private void answer(Request request) {
        Answer answer = step.answer();
        Resource next = step.next();
        assertThat(answer.time()).isEqualTo(now);
        assertThat(answer.expiry())
                .isEqualTo(
                        next.holders().stream().mapToLong(Claim::deadline).min().orElse(0));
        int waiting = next.claims().size() - next.granted();
        Claim claim = request instanceof Request.OfClaim about ? find(next, about.id()) : null;
        boolean about = answer.state() == State.GRANTED || answer.state() == State.WAITING;
        assertThat(about).isEqualTo(claim != null);
        if (claim == null) {
            assertThat(answer.waiters()).isEqualTo(waiting);
            return;
        }
        Predicate<Claim> same = c -> c.id().equals(claim.id());
        int place = isGranted(next, claim.id())
                ? 0
                : 1
                        + (int) next.claims().stream()
                                .skip(next.granted())
                                .takeWhile(same.negate())
                                .count();
        assertThat(answer.state()).isEqualTo(place == 0 ? State.GRANTED : State.WAITING);
        assertThat(answer.place()).isEqualTo(place);
        assertThat(answer.waiters()).isEqualTo(place == 0 ? waiting : waiting - 1);
        assertThat(answer.sequence()).isEqualTo(claim.sequence());
        assertThat(answer.deadline()).isEqualTo(claim.deadline());
        assertThat(answer.reweights()).isEqualTo(claim.reweights());
    }

    private static Claim find(Resource resource, ClaimId id) {
        return resource.claims().stream()
                .filter(c -> c.id().equals(id))
                .findAny()
                .orElse(null);
    }

    private static boolean isGranted(Resource resource, ClaimId id) {
        return resource.holders().stream().anyMatch(c -> c.id().equals(id));
    }
}
