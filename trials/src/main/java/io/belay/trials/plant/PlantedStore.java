package io.belay.trials.plant;

import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A store whose answers are tampered with before its client hears them. */
abstract class PlantedStore implements Store {
    private final Store store;

    PlantedStore(Store store) {
        this.store = store;
    }

    /** What the client is to hear instead. */
    abstract Answer heard(Request request, Answer answer, long sentNanos);

    @Override
    public Capabilities capabilities() {
        return store.capabilities();
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        long sent = System.nanoTime();
        return store.send(request).thenApply(answer -> heard(request, answer, sent));
    }

    @Override
    public int shard(String resource) {
        return store.shard(resource);
    }

    @Override
    public CompletionStage<List<Answer>> renew(List<Request.Renew> renewals) {
        long sent = System.nanoTime();
        return store.renew(renewals).thenApply(answers -> {
            List<Answer> heard = new ArrayList<>();
            for (int i = 0; i < answers.size(); i++) {
                heard.add(heard(renewals.get(i), answers.get(i), sent));
            }
            return heard;
        });
    }

    @Override
    public CompletionStage<Snapshot> inspect(String resource) {
        return store.inspect(resource);
    }

    @Override
    public void close() {
        store.close();
    }
}
