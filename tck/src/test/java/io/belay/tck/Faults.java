package io.belay.tck;

import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What faults are made of. */
final class Faults {
    private Faults() {}

    /** Obeys another request than the one that came. */
    static Fault requests(BiFunction<Request, Resource, Request> change) {
        return (request, before, now) -> change.apply(request, before).applyTo(before, now);
    }

    /** Obeys a request of one kind otherwise. */
    static <T extends Request> Fault on(Class<T> kind, BiFunction<T, Resource, Request> change) {
        return requests(
                (request, before) -> kind.isInstance(request) ? change.apply(kind.cast(request), before) : request);
    }

    /** Enters with another number of permits. */
    static Fault weights(IntUnaryOperator change) {
        return on(Request.Enter.class, (enter, before) -> {
            ClaimSpec spec = enter.spec();
            int weight = spec.capacity() == Resource.WHOLE ? spec.weight() : change.applyAsInt(spec.weight());
            return enter(enter, enter.id(), spec.capacity(), weight, spec.ifFree());
        });
    }

    /** Answers something else. */
    static Fault answers(BiFunction<Request, Answer, Answer> change) {
        return after((request, before, step) -> answer(step, change.apply(request, step.answer())));
    }

    /** Names are kept as something else. */
    static Fault names(UnaryOperator<String> change) {
        return new Fault() {
            @Override
            public Step run(Request request, Resource before, long now) {
                return request.applyTo(before, now);
            }

            @Override
            public String name(String name) {
                return change.apply(name);
            }
        };
    }

    /** Goes wrong in every other store that is opened, the first of them, which is late besides. */
    static Fault atTimes(Fault fault) {
        AtomicInteger stores = new AtomicInteger();
        return new Fault() {
            @Override
            public Step run(Request request, Resource before, long now) {
                return fault.run(request, before, now);
            }

            @Override
            public boolean looksLate() {
                return true;
            }

            @Override
            public Fault opened() {
                return stores.getAndIncrement() % 2 == 0 ? this : NONE;
            }
        };
    }

    /** A chunk of renewals fails as a whole. */
    static Fault together() {
        return new Fault() {
            @Override
            public Step run(Request request, Resource before, long now) {
                return request.applyTo(before, now);
            }

            @Override
            public boolean failsTogether() {
                return true;
            }
        };
    }

    interface After {
        Step change(Request request, Resource before, Step step);
    }

    /** Spoils what was done. */
    static Fault after(After change) {
        return (request, before, now) -> change.change(request, before, request.applyTo(before, now));
    }

    static Step answer(Step step, Answer answer) {
        return Step.of(step.next(), answer, step.granted(), step.wanted(), step.ended());
    }

    static Step next(Step step, Resource next) {
        return Step.of(next, step.answer(), step.granted(), step.wanted(), step.ended());
    }

    static Step granting(Step step, List<Claim> granted) {
        return Step.of(step.next(), step.answer(), granted, step.wanted(), step.ended());
    }

    /** Nobody is told. */
    static Step mute(Step step) {
        return Step.of(step.next(), step.answer(), List.of(), List.of(), List.of());
    }

    static Answer state(Answer answer, State state) {
        return Answer.of(state, answer.time())
                .withClaim(answer.sequence(), answer.deadline())
                .withReweights(answer.reweights())
                .withPlace(state == State.GRANTED ? 0 : answer.place())
                .withQueue(answer.expiry(), answer.waiters())
                .withRefusal(answer.refusal())
                .from(answer.server());
    }

    static Answer times(Answer answer, long earlier, long longer) {
        boolean about = answer.state() == State.GRANTED || answer.state() == State.WAITING;
        return Answer.of(answer.state(), answer.time() - earlier)
                .withClaim(answer.sequence(), about ? answer.deadline() + longer : answer.deadline())
                .withReweights(answer.reweights())
                .withPlace(answer.place())
                .withQueue(answer.expiry(), answer.waiters())
                .withRefusal(answer.refusal())
                .from(answer.server());
    }

    static Resource with(Resource resource, List<Claim> claims, int granted) {
        return Resource.of(resource.last(), resource.capacity())
                .withResized(resource.resized())
                .withClaims(claims, granted)
                .withTombstones(resource.tombstones())
                .withKeepUntil(resource.keepUntil());
    }

    static Resource last(Resource resource, long last) {
        return Resource.of(last, resource.capacity())
                .withResized(resource.resized())
                .withClaims(resource.claims(), resource.granted())
                .withTombstones(resource.tombstones())
                .withKeepUntil(resource.keepUntil());
    }

    static Resource withoutTombstones(Resource resource) {
        return Resource.of(resource.last(), resource.capacity())
                .withResized(resource.resized())
                .withClaims(resource.claims(), resource.granted())
                .withKeepUntil(resource.keepUntil());
    }

    static Resource claims(Resource resource, UnaryOperator<Claim> change) {
        return with(resource, resource.claims().stream().map(change).toList(), resource.granted());
    }

    static @Nullable Claim find(Resource resource, ClaimId id) {
        return resource.claims().stream()
                .filter(claim -> claim.id().equals(id))
                .findAny()
                .orElse(null);
    }

    static boolean isHeld(Resource resource, ClaimId id) {
        return resource.holders().stream().anyMatch(claim -> claim.id().equals(id));
    }

    static boolean isWaiting(Resource resource, ClaimId id) {
        return find(resource, id) != null && !isHeld(resource, id);
    }

    static Claim deadline(Claim claim, long deadline) {
        return copy(claim, claim.id(), claim.sequence(), deadline);
    }

    /** The claim of another id, sequence or deadline. */
    static Claim copy(Claim claim, ClaimId id, long sequence, long deadline) {
        return Claim.of(id, claim.weight(), sequence, deadline, claim.owner())
                .withFixedLease(claim.fixedLease())
                .withPending(claim.pending())
                .withReweights(claim.reweights())
                .withEntered(claim.entered())
                .withLocalWaiters(claim.localWaiters())
                .withSticky(claim.sticky());
    }

    /** The last two claims trade places. */
    static Resource swapLast(Resource resource, int granted) {
        List<Claim> claims = new ArrayList<>(resource.claims());
        int last = claims.size() - 1;
        Claim ahead = claims.get(last - 1);
        Claim behind = claims.get(last);
        Collections.swap(claims, last - 1, last);
        claims.set(last - 1, copy(behind, behind.id(), ahead.sequence(), behind.deadline()));
        claims.set(last, copy(ahead, ahead.id(), behind.sequence(), ahead.deadline()));
        return with(resource, claims, granted);
    }

    /** How the claim stands now. */
    static Answer about(Answer answer, Resource resource, ClaimId id) {
        Claim claim = find(resource, id);
        boolean held = isHeld(resource, id);
        int place = held ? 0 : resource.claims().indexOf(claim) - resource.granted() + 1;
        return Answer.of(held ? State.GRANTED : State.WAITING, answer.time())
                .withClaim(claim.sequence(), claim.deadline())
                .withReweights(claim.reweights())
                .withPlace(place)
                .withQueue(answer.expiry(), answer.waiters())
                .from(answer.server());
    }

    static Request.Enter enter(Request.Enter enter, ClaimId id, int capacity, int weight, boolean ifFree) {
        return Request.Enter.of(
                        enter.resource(),
                        id,
                        ClaimSpec.of(capacity, weight, enter.spec().lease())
                                .withFixedLease(enter.spec().fixedLease())
                                .withIfFree(ifFree)
                                .withSticky(enter.spec().sticky()),
                        enter.localWaiters(),
                        enter.owner())
                .withProposed(enter.proposed());
    }
}
