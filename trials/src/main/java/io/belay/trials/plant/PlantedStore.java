package io.belay.trials.plant;

import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A store whose answers are tampered with before its client hears them. */
abstract class PlantedStore implements Store {
    private final Store store;

    PlantedStore(Store store) {
        this.store = store;
    }

    /** Returns what the client is to hear instead. */
    abstract Answer heard(Request request, Answer answer, long sentNanos);

    @Override
    public Capabilities capabilities() {
        return store.capabilities();
    }

    @Override
    public Duration slice() {
        return store.slice();
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        long sent = System.nanoTime();
        return store.send(request).thenApply(answer -> heard(request, answer, sent));
    }

    @Override
    public List<CompletionStage<Answer>> renew(List<Request.Renew> renewals) {
        long sent = System.nanoTime();
        List<? extends CompletionStage<Answer>> answers = store.renew(renewals);
        List<CompletionStage<Answer>> heard = new ArrayList<>(answers.size());
        for (int i = 0; i < answers.size(); i++) {
            Request.Renew renewal = renewals.get(i);
            heard.add(answers.get(i).thenApply(answer -> heard(renewal, answer, sent)));
        }
        return heard;
    }

    @Override
    public CompletionStage<Snapshot> inspect(String resource) {
        return store.inspect(resource);
    }

    @Override
    public CompletionStage<NamePage> names(String prefix, String cursor) {
        return store.names(prefix, cursor);
    }

    @Override
    public void close() {
        store.close();
    }
}
