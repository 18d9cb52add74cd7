package io.belay.quorum;

import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A client's connection to a {@link FakeMember}: late, in order, and broken with it. */
final class FakeLink implements Store {
    private final FakeMember member;
    private final long client;
    private final Listener listener;
    private final Set<CompletableFuture<?>> open = new LinkedHashSet<>();
    private int epoch;
    private long there;
    private long back;
    private boolean cut;
    private long distance;

    FakeLink(FakeMember member, long client, Listener listener) {
        this.member = member;
        this.client = client;
        this.listener = listener;
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.none()
                .withPush(true)
                .withLeasePerClaim(true)
                .withExpiry(true)
                .withSharing(true);
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        return ask(() -> member.run(request));
    }

    @Override
    public CompletionStage<Snapshot> inspect(String resource) {
        return ask(() -> member.inspect(resource));
    }

    @Override
    public CompletionStage<NamePage> names(String prefix, String cursor) {
        return ask(() -> member.names(prefix, cursor));
    }

    private <T> CompletionStage<T> ask(Supplier<T> work) {
        if (cut || !member.isUp()) {
            return CompletableFuture.failedStage(FakeMember.down());
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        open.add(result);
        int sent = epoch;
        there = Math.max(there, member.clock().nanos() + distance + member.delay());
        member.clock()
                .at(
                        there,
                        () -> member.arrive(() -> {
                            if (sent == epoch) {
                                Runnable told = told(result, work);
                                reply(() -> {
                                    open.remove(result);
                                    told.run();
                                });
                            }
                        }));
        return result;
    }

    private static <T> Runnable told(CompletableFuture<T> result, Supplier<T> work) {
        try {
            T value = work.get();
            return () -> result.complete(value);
        } catch (StoreException e) {
            return () -> result.completeExceptionally(e);
        }
    }

    private void reply(Runnable task) {
        int sent = epoch;
        back = Math.max(back, member.clock().nanos() + distance + member.delay());
        member.clock().at(back, () -> {
            if (sent == epoch) {
                task.run();
            }
        });
    }

    void push(Push push) {
        reply(() -> listener.pushed(push));
    }

    void broken() {
        epoch++;
        List<CompletableFuture<?>> all = new ArrayList<>(open);
        open.clear();
        all.forEach(one -> one.completeExceptionally(FakeMember.down()));
    }

    /** This client reaches the member no more, as others do. */
    void cut() {
        cut = true;
        broken();
    }

    /** From now on each message takes so many milliseconds longer. */
    void moveAway(long millis) {
        distance += millis * 1_000_000;
    }

    void mended() {
        reply(listener::reconnected);
    }

    @Override
    public void close() {
        broken();
        member.disconnect(client);
    }
}
