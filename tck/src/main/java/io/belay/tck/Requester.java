package io.belay.tck;

import io.belay.spi.Answer;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A client without an engine: it sends requests one by one, and remembers what it is told. */
final class Requester implements AutoCloseable {
    final long number;
    final Queue<Push> pushes = new ConcurrentLinkedQueue<>();
    private final Store store;

    Requester(StoreSpec spec, long number) {
        this.number = number;
        store = spec.open(number, new Store.Listener() {
            @Override
            public void pushed(Push push) {
                pushes.add(push);
            }

            @Override
            public void reconnected() {
                // All requests here are answered, so nothing is unclear.
            }
        });
    }

    Answer send(Request request) {
        return request instanceof Request.Renew renew
                ? renew(List.of(renew)).get(0).join()
                : store.send(request).toCompletableFuture().join();
    }

    /** Sends all before it waits for the answers. */
    List<Answer> sendAll(List<? extends Request> requests) {
        return requests.stream().map(store::send).toList().stream()
                .map(answer -> answer.toCompletableFuture().join())
                .toList();
    }

    /** Renews a chunk, whose answers may fail. */
    List<CompletableFuture<Answer>> renew(List<Request.Renew> chunk) {
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        store.renew(chunk).forEach(answer -> answers.add(answer.toCompletableFuture()));
        return answers;
    }

    Resource resource(String name) {
        return resources(List.of(name)).get(0);
    }

    List<Resource> resources(List<String> names) {
        return names.stream().map(store::inspect).toList().stream()
                .map(looked -> looked.toCompletableFuture().join().resource().orElse(Resource.UNUSED))
                .toList();
    }

    @Override
    public void close() {
        store.close();
    }
}
