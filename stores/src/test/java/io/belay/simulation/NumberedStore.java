package io.belay.simulation;

import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A client's store, which judges that it asks for claims of its present number alone: of one from before a pause it may but say
 * that, or when, it ends.
 */
final class NumberedStore implements Store {
    private final World world;
    private final Store store;
    private final long number;

    NumberedStore(World world, Store store, long number) {
        this.world = world;
        this.store = store;
        this.number = number;
    }

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
        judge(request);
        return store.send(request);
    }

    @Override
    public List<? extends CompletionStage<Answer>> renew(List<Request.Renew> renewals) {
        renewals.forEach(this::judge);
        return store.renew(renewals);
    }

    private void judge(Request request) {
        if (request instanceof Request.OfClaim of
                && of.id().client() != number
                && of.id().client() != ClaimId.NOBODY
                && !(of instanceof Request.Leave)
                && !(of instanceof Request.Fix)) {
            world.violate(
                    Oracle.STORE, "client " + number + " asks for the " + Words.of(request) + ", which is not its own");
        }
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
