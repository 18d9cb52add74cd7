package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.servers.RedisServer;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Random histories: the scripts answer, push and keep what the reference model says, on its clock, the server's. */
class ModelTest {
    private static final int STEPS = 6_000;
    /** A client that listens to nothing: its grants are passed over. */
    private static final long DEAF = 0xdeafL;

    private record Client(long number, Store store, RecordingListener listener) {
        static Client open(String url, long number) {
            RecordingListener listener = new RecordingListener();
            return new Client(number, Redis.at(url).open(number, listener), listener);
        }
    }

    private final Map<String, Resource> model = new HashMap<>();
    private final Map<Long, Long> newest = new HashMap<>();
    private final List<Push> expected = new ArrayList<>(); // two in one instant may be equal
    private final Map<Answer.State, Integer> seen = new EnumMap<>(Answer.State.class);
    private int crowds;
    private int shortWays;
    private long server;
    private long time;

    static Stream<Arguments> runs() {
        return Stream.of(RedisServer.Version.values()).map(version -> Arguments.of(version, new Random().nextLong()));
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("runs")
    void equalsTheReferenceModel(RedisServer.Version version, long seed) throws Exception {
        RandomRequests random = new RandomRequests(seed, () -> time);
        try (RedisServer redis = RedisServer.start(version)) {
            List<Client> clients = new ArrayList<>();
            for (long number : new long[] {-1, 1, 0x9f3ac4d17be2685eL}) {
                clients.add(Client.open(redis.url(), number));
            }
            for (int i = 0; i < STEPS; i++) {
                // New names now and then: on an old one somebody has changed the capacity, and it remembers many ids.
                step(clients, random, "name" + i / 500 + "-" + random.below(3));
                if (random.below(200) == 0) {
                    TimeUnit.MILLISECONDS.sleep(random.below(20));
                }
                if (random.below(20) == 0) {
                    comeAndGo(clients.get(0), clients.get(1), random);
                }
                if (i % 4_000 == 2_999) {
                    // Past every pick-up.
                    TimeUnit.MILLISECONDS.sleep(2_100);
                    awaitPushes(clients);
                }
            }
            awaitPushes(clients);
            assertThat(seen).as("all kinds of answers").containsOnlyKeys(Answer.State.values());
            assertThat(seen.values()).as("%s", seen).allMatch(count -> count > 10);
            assertThat(crowds).as("queues").isGreaterThan(500);
            assertThat(shortWays).as("ways around the model").isGreaterThan(100);
            clients.forEach(client -> client.store().close());
        }
    }

    private void step(List<Client> clients, RandomRequests random, String name) {
        Client sender = clients.get(random.below(clients.size()));
        long number = random.below(8) == 0 ? DEAF : sender.number();
        Resource before = model.getOrDefault(name, Resource.UNUSED);
        run(sender.store(), random.request(number, before, name, newest.getOrDefault(number, 0L)));
    }

    /** What happens most: somebody takes a lock that nobody waits for, and gives it back, again and again. */
    private void comeAndGo(Client client, Client other, RandomRequests random) {
        for (int i = 0; i < 3; i++) {
            Request.Enter enter =
                    random.enter("alone0", new ClaimId(client.number(), newest.merge(client.number(), 1L, Long::sum)));
            run(client.store(), enter);
            if (random.below(2) == 0) {
                run(client.store(), new Request.Renew("alone0", enter.id(), time, 20_000, 0, false));
            }
            Request.Enter attempt =
                    random.enter("alone0", new ClaimId(other.number(), newest.merge(other.number(), 1L, Long::sum)));
            if (attempt.ifFree()) {
                run(other.store(), attempt);
                run(other.store(), new Request.Leave("alone0", attempt.id(), false));
            }
            run(client.store(), new Request.Leave("alone0", enter.id(), false));
        }
    }

    private void run(Store store, Request request) {
        if (request instanceof Request.Enter enter) {
            newest.merge(enter.id().client(), enter.id().number(), Math::max);
        }
        String name = request.resource();
        Resource before = model.getOrDefault(name, Resource.UNUSED);
        Answer answer = answer(store, request);
        server = answer.server();
        // A leave that needs no time tells none.
        time = answer.time() == 0 ? time : answer.time();
        Step step = request.applyTo(before, time);
        Answer said = step.answer().from(server);
        assertThat(answer)
                .as("%s on %s", request, before)
                .isEqualTo(answer.time() == 0 ? new Answer(0, said.state(), 0, 0, 0, 0, 0, 0, server, null) : said);
        Resource next = passOver(name, step);
        model.put(name, next);
        seen.merge(answer.state(), 1, Integer::sum);
        crowds += next.claims().size() > next.granted() + 1 ? 1 : 0;
        shortWays += answer.time() == 0 ? 1 : 0;
        Resource kept =
                store.inspect(name).toCompletableFuture().join().resource().orElse(Resource.UNUSED);
        assertThat(comparable(kept)).as("after %s on %s", request, before).isEqualTo(comparable(next));
    }

    private static Answer answer(Store store, Request request) {
        if (request instanceof Request.Renew renew) {
            // The same renewal twice changes nothing the second time, unless it asks for a fresh sequence.
            return store.renew(List.of(renew)).toCompletableFuture().join().get(0);
        }
        return store.send(request).toCompletableFuture().join();
    }

    /** What the script does by itself: a grant that nobody hears of goes to the next one. */
    private Resource passOver(String name, Step step) {
        List<Push> pushes = step.pushes(name);
        List<Claim> granted = step.granted();
        Resource state = step.next();
        while (true) {
            pushes.stream().filter(push -> push.id().client() != DEAF).forEach(this::expect);
            List<Claim> next = new ArrayList<>();
            for (Claim claim : granted) {
                if (claim.id().client() == DEAF) {
                    Step skip = new Request.Skip(name, claim.id(), claim.sequence()).applyTo(state, time);
                    state = skip.next();
                    next.addAll(skip.granted());
                }
            }
            if (next.isEmpty()) {
                return state;
            }
            granted = next;
            pushes = new Step(state, step.answer(), granted, List.of(), List.of()).pushes(name);
        }
    }

    private void expect(Push push) {
        expected.add(new Push(
                push.resource(),
                push.id(),
                push.sequence(),
                push.granted(),
                push.wanted(),
                time,
                push.deadline(),
                server));
    }

    /** Without what the server keeps in its own way: for how long, and the capacity of what nobody uses. */
    private static Resource comparable(Resource resource) {
        boolean unused = resource.claims().isEmpty() && !resource.resized();
        return new Resource(
                resource.last(),
                unused ? 0 : resource.capacity(),
                resource.resized(),
                resource.claims(),
                resource.granted(),
                resource.tombstones(),
                0);
    }

    private void awaitPushes(List<Client> clients) {
        for (Client client : clients) {
            List<Push> own = new ArrayList<>(expected);
            own.removeIf(push -> push.id().client() != client.number());
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> client.listener().pushes.size() >= own.size());
            assertThat(client.listener().pushes).containsExactlyInAnyOrderElementsOf(own);
            client.listener().pushes.clear();
        }
        expected.clear();
    }
}
