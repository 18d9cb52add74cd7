package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.Push;
import io.belay.spi.RandomStates;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random histories of several clients: the store answers and pushes what the reference model says. */
class ModelTest {
    private static final int STEPS = 20_000;

    @TempDir
    Path directory;

    private final FakeClock clock = new FakeClock();
    private final Map<String, Resource> model = new HashMap<>();
    private final List<Push> expected = new ArrayList<>(); // two in one instant may be equal
    private final RandomStates states = new RandomStates(7);

    private Client open() {
        return Client.open(directory, new HostIdentity("boot", "", ""), clock.clock());
    }

    @Test
    void equalsTheReferenceModel() {
        List<Client> clients = new ArrayList<>(List.of(open(), open(), open()));
        for (int i = 0; i < STEPS; i++) {
            clock.advance(states.below(200_000));
            step(clients.get(states.below(clients.size())));
            if (i % 2_000 == 1_999) {
                // One goes in good order, and another comes, and takes its documents over.
                leaveAll(clients.get(0));
                awaitPushes(clients);
                clients.remove(0).close();
                clients.add(open());
            }
        }
        awaitPushes(clients);
        clients.forEach(Client::close);
    }

    private void step(Client client) {
        String name = "name" + states.below(4);
        Resource before = model.getOrDefault(name, Resource.UNUSED);
        run(client, states.request(client.number, before, name));
    }

    private void leaveAll(Client client) {
        for (String name : List.copyOf(model.keySet())) {
            for (Claim claim : model.get(name).claims()) {
                if (claim.id().client() == client.number) {
                    run(client, Request.Leave.of(name, claim.id(), false));
                }
            }
        }
    }

    private void run(Client client, Request request) {
        String name = request.resource();
        Resource before = model.getOrDefault(name, Resource.UNUSED);
        Answer answer = client.send(request);
        Step step = request.applyTo(before, answer.time());
        assertThat(answer).as("%s on %s", request, before).isEqualTo(step.answer());
        model.put(name, step.next());
        expected.addAll(step.pushes(name));
        Resource seen = client.inspect(name).resource().orElse(Resource.UNUSED);
        if (!step.next().isForgettable(answer.time())) {
            assertThat(seen).isEqualTo(step.next());
        }
    }

    private void awaitPushes(List<Client> clients) {
        for (Client client : clients) {
            List<Push> own = new ArrayList<>(expected);
            own.removeIf(push -> push.id().client() != client.number);
            await().until(() -> client.pushes.size() >= own.size());
            assertThat(client.pushes).containsExactlyInAnyOrderElementsOf(own);
            client.pushes.clear();
        }
        expected.clear();
    }
}
