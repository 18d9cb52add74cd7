package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Random histories of requests, some of them late or sent twice: the store answers, pushes and keeps what the reference
 * model says, on the store's own clock. The seed is in the message of a failure; {@code -Dbelay.seed} gives it again.
 */
abstract class ModelContract extends BareStore {
    private static final int STEPS = 6_000;

    /** Where answers take long more claims expire before others queue behind them, so it takes more steps to see as much. */
    private static final int MOST_STEPS = 4 * STEPS;

    private static final int LEAST_ANSWERS = 10;
    private static final int LEAST_CROWDS = 500;

    /** A client that listens to nothing, where the store does something about that. */
    private static final long DEAF = 0xdeafL;

    private final long seed = Long.getLong("belay.seed", new Random().nextLong());
    private final Map<String, Resource> model = new HashMap<>();
    private final Map<Long, Long> newest = new HashMap<>();
    private final List<Push> expected = new ArrayList<>(); // two in one instant may be equal
    private final Map<Answer.State, Integer> seen = new EnumMap<>(Answer.State.class);
    private List<Requester> clients = List.of();
    private int crowds;
    private long server;
    private long time;

    @BeforeEach
    void openAll() {
        assumeFalse(spec.actsUnasked(), "the store does more than it is asked for");
        model.clear();
        newest.clear();
        expected.clear();
        seen.clear();
        crowds = 0;
        server = 0;
        time = 0;
        clients = List.of(requester(-1), requester(1), requester(0x9f3ac4d17be2685eL));
    }

    @Test
    void equalsTheReferenceModel() throws Exception {
        RandomRequests random = new RandomRequests(seed, () -> time);
        for (int i = 0; i < STEPS || (i < MOST_STEPS && !hasSeenEnough()); i++) {
            // New names now and then: on an old one somebody has changed the capacity, and it remembers many ids.
            step(random, "name" + i / 500 + "-" + random.below(3));
            if (random.below(200) == 0) {
                Thread.sleep(random.below(20));
            }
            if (random.below(20) == 0) {
                comeAndGo(clients.get(0), clients.get(1), random);
            }
            if (i % 4_000 == 2_999) {
                // Past every pick-up.
                Thread.sleep(2_100);
                awaitPushes();
            }
        }
        awaitPushes();
        assertThat(seen).as("all kinds of answers").containsOnlyKeys(Answer.State.values());
        assertThat(seen.values()).as("%s, seed %d", seen, seed).allMatch(count -> count > LEAST_ANSWERS);
        assertThat(crowds).as("queues, seed %d", seed).isGreaterThan(LEAST_CROWDS);
    }

    /** Returns whether the histories were as rich as the test takes for granted. */
    private boolean hasSeenEnough() {
        return crowds > LEAST_CROWDS
                && seen.size() == Answer.State.values().length
                && seen.values().stream().allMatch(count -> count > LEAST_ANSWERS);
    }

    private void step(RandomRequests random, String name) {
        Requester sender = clients.get(random.below(clients.size()));
        long number = spec.passesOverTheDeaf() && random.below(8) == 0 ? DEAF : sender.number;
        Resource before = model.getOrDefault(name, Resource.UNUSED);
        run(sender, random.request(number, before, name, newest.getOrDefault(number, 0L)));
    }

    /** Does what happens most: one client takes a lock that nobody waits for, and gives it back, again and again. */
    private void comeAndGo(Requester client, Requester other, RandomRequests random) {
        for (int i = 0; i < 3; i++) {
            Request.Enter enter = random.enter("alone0", nextId(client));
            run(client, enter);
            if (random.below(2) == 0) {
                run(client, Request.Renew.of("alone0", enter.id(), time, 20_000, 0, false));
            }
            Request.Enter attempt = random.enter("alone0", nextId(other));
            if (attempt.spec().ifFree()) {
                run(other, attempt);
                run(other, Request.Leave.of("alone0", attempt.id(), false));
            }
            run(client, Request.Leave.of("alone0", enter.id(), false));
        }
    }

    private ClaimId nextId(Requester client) {
        return ClaimId.of(client.number, newest.merge(client.number, 1L, Long::sum));
    }

    private void run(Requester sender, Request request) {
        if (request instanceof Request.Enter enter) {
            newest.merge(enter.id().client(), enter.id().number(), Math::max);
        }
        String name = request.resource();
        Resource before = model.getOrDefault(name, Resource.UNUSED);
        Answer answer = sender.send(request);
        server = answer.server();
        // A leave that needs no time tells none.
        time = answer.time() == 0 ? time : answer.time();
        Step step = request.applyTo(before, time);
        Answer said = step.answer().from(server);
        assertThat(answer)
                .as("%s on %s, seed %d", request, before, seed)
                .isEqualTo(answer.time() == 0 ? Answer.of(said.state(), 0).from(server) : said);
        Resource next = passOver(name, step);
        model.put(name, next);
        seen.merge(answer.state(), 1, Integer::sum);
        crowds += next.claims().size() > next.granted() + 1 ? 1 : 0;
        // What could be forgotten may be, or not yet.
        if (!next.isForgettable(time)) {
            assertThat(comparable(sender.resource(name)))
                    .as("after %s on %s, seed %d", request, before, seed)
                    .isEqualTo(comparable(next));
        }
    }

    /** Passes on a grant whose owner cannot hear of it, as some stores do within the step; returns the next state. */
    private Resource passOver(String name, Step step) {
        List<Push> pushes = step.pushes(name);
        List<Claim> granted = step.granted();
        Resource state = step.next();
        while (true) {
            pushes.stream().filter(push -> push.id().client() != DEAF).forEach(this::expect);
            List<Claim> next = new ArrayList<>();
            for (Claim claim : granted) {
                if (claim.id().client() == DEAF) {
                    Step skip =
                            Request.Skip.of(name, claim.id(), claim.sequence()).applyTo(state, time);
                    state = skip.next();
                    next.addAll(skip.granted());
                }
            }
            if (next.isEmpty()) {
                return state;
            }
            granted = next;
            pushes =
                    Step.of(state, step.answer(), granted, List.of(), List.of()).pushes(name);
        }
    }

    private void expect(Push push) {
        expected.add(push.withTime(time).from(server));
    }

    /** Returns a resource without what each store keeps in its own way: how long, and the capacity of an unused one. */
    private static Resource comparable(Resource resource) {
        boolean unused = resource.claims().isEmpty() && !resource.resized();
        return Resource.of(resource.last(), unused ? 0 : resource.capacity())
                .withResized(resource.resized())
                .withClaims(resource.claims(), resource.granted())
                .withTombstones(resource.tombstones());
    }

    private void awaitPushes() {
        for (Requester client : clients) {
            List<Push> own = new ArrayList<>(expected);
            own.removeIf(push -> push.id().client() != client.number);
            eventually().until(() -> client.pushes.size() >= own.size());
            assertThat(client.pushes).as("pushes, seed %d", seed).containsExactlyInAnyOrderElementsOf(own);
            client.pushes.clear();
        }
        expected.clear();
    }
}
