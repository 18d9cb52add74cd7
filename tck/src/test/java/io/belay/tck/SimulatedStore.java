package io.belay.tck;

import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** One client's connection to a {@link SimulatedServer}. */
final class SimulatedStore implements Store {
    private final SimulatedServer server;
    private final SimulatedNetwork network;
    private final Listener listener;
    private final Runnable onClose;

    SimulatedStore(SimulatedServer server, SimulatedNetwork network, Listener listener, Runnable onClose) {
        this.server = server;
        this.network = network;
        this.listener = listener;
        this.onClose = onClose;
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.none()
                .withPush(true)
                .withLeasePerClaim(true)
                .withDurableTokens(true)
                .withExpiry(true)
                .withSharing(true);
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        return overTheLine(() -> server.run(request));
    }

    @Override
    public List<CompletionStage<Answer>> renew(List<Request.Renew> renewals) {
        if (server.failsTogether()) {
            CompletableFuture<List<Answer>> all = overTheLine(
                            () -> renewals.stream().map(server::run).toList())
                    .toCompletableFuture();
            return IntStream.range(0, renewals.size())
                    .<CompletionStage<Answer>>mapToObj(i -> all.thenApply(answers -> answers.get(i)))
                    .toList();
        }
        return renewals.stream().map(this::send).toList();
    }

    @Override
    public CompletionStage<Snapshot> inspect(String resource) {
        return overTheLine(() -> server.inspect(resource));
    }

    @Override
    public CompletionStage<NamePage> names(String prefix, String cursor) {
        return overTheLine(() -> server.names(prefix));
    }

    private <T> CompletionStage<T> overTheLine(Supplier<T> work) {
        if (network.isSilent()) {
            return new CompletableFuture<>();
        }
        if (server.isDown()) {
            return CompletableFuture.failedStage(StoreException.unreachable("the simulated server is down", null));
        }
        try {
            T answer = work.get();
            return network.losesAnswer()
                    ? CompletableFuture.failedStage(StoreException.unreachable("the answer was lost on purpose", null))
                    : CompletableFuture.completedStage(answer);
        } catch (StoreException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    void push(Push push) {
        if (network.deliversPushes()) {
            listener.pushed(push);
        }
    }

    void reconnected() {
        listener.reconnected();
    }

    @Override
    public void close() {
        onClose.run();
    }
}
