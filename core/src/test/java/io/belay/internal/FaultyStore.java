package io.belay.internal;

import io.belay.memory.MemoryWorld;
import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Confirmation;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One client's line to the store, which a test can disturb. */
class FaultyStore implements Store {
    enum Line {
        /** All gets through. */
        UP,
        /** Requests are lost without a word. */
        SILENT,
        /** Requests are run, their answers are lost. */
        ANSWERS_LOST,
        /** Requests are run, their answers wait until the line is up again. */
        ANSWERS_HELD_BACK,
        /** Requests fail at once. */
        REFUSED,
        /** Requests fail at once, and always will. */
        UNUSABLE,
        /** Requests wait until the line is up again, then run late. */
        HELD_BACK
    }

    private final MemoryWorld world;
    private final List<Runnable> heldBack = new ArrayList<>();
    /** The answers to what was held back. */
    private final List<CompletableFuture<Answer>> answersHeldBack = new ArrayList<>();

    final List<Request> sent = Collections.synchronizedList(new ArrayList<>());
    Line line = Line.UP;
    boolean pushesLost;
    /** How a request comes to the store later, with its answer at once; null for at once. */
    @Nullable
    Consumer<Runnable> delay;
    /** How what a look at that resource has shown is told later; null for at once. */
    @Nullable
    BiConsumer<String, Runnable> lookDelay;

    /** Gets the looks on their way to the store: each makes, when it is there, what brings the answer. */
    @Nullable
    Consumer<Supplier<Runnable>> lookSent;
    /** What the driver throws instead of sending anything. */
    @Nullable
    Error thrown;
    /** Requests that are run though they seem to fail, while the line is up. */
    Predicate<Request> unanswered = request -> false;
    /** Requests that fail at once, and always will. */
    Predicate<Request> unusable = request -> false;
    /** Why ends are not fixed; null if they are. */
    @Nullable
    String refusedFix;
    /** Whether the store says that claims end by themselves. */
    boolean expiry = true;
    /** Whether several claims stand side by side; a part of a resource is refused where they do not. */
    boolean sharing = true;
    /** Which run of the server answers. */
    long run;
    /** How many times a resource was looked at. */
    int looks;
    /** How many replicas have what is answered. */
    @Nullable
    Confirmation confirmation;
    /** Whether the driver was closed. */
    boolean wasClosed;
    /** What the driver throws once it was closed. */
    @Nullable
    RuntimeException thrownAtClose;

    FaultyStore(MemoryWorld world, long client, Store.Listener listener) {
        this.world = world;
        world.join(client, new Store.Listener() {
            @Override
            public void pushed(Push push) {
                if (!pushesLost) {
                    listener.pushed(push);
                }
            }

            @Override
            public void reconnected() {}
        });
    }

    void up() {
        line = Line.UP;
        List<Runnable> late = List.copyOf(heldBack);
        heldBack.clear();
        late.forEach(Runnable::run);
    }

    /** Fails what waits, as a driver may do that is closed. */
    void failHeldBack() {
        heldBack.clear();
        answersHeldBack.forEach(
                answer -> answer.completeExceptionally(StoreException.unreachable("closed by the test", null)));
    }

    /** What waits, to be run in another order. */
    List<Runnable> takeHeldBack() {
        List<Runnable> late = List.copyOf(heldBack);
        heldBack.clear();
        return late;
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.none()
                .withPush(true)
                .withLeasePerClaim(true)
                .withExpiry(expiry)
                .withSharing(sharing);
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        Error error = thrown;
        if (error != null) {
            throw error;
        }
        sent.add(request);
        if (unusable.test(request)) {
            return CompletableFuture.failedFuture(StoreException.unusable("wrong kind of key", null));
        }
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        if (delay != null) {
            delay.accept(() -> answer.complete(world.run(request)));
            return answer;
        }
        switch (line) {
            case UP -> {
                Answer made = confirmed(run(request));
                if (unanswered.test(request)) {
                    answer.completeExceptionally(StoreException.unreachable("connection lost by the test", null));
                } else {
                    answer.complete(made);
                }
            }
            case ANSWERS_LOST -> world.run(request);
            case ANSWERS_HELD_BACK -> {
                Answer made = world.run(request);
                heldBack.add(() -> answer.complete(made));
            }
            case REFUSED ->
                answer.completeExceptionally(StoreException.unreachable("connection refused by the test", null));
            case UNUSABLE -> answer.completeExceptionally(StoreException.unusable("wrong kind of key", null));
            case HELD_BACK -> {
                heldBack.add(() -> answer.complete(world.run(request)));
                answersHeldBack.add(answer);
            }
            case SILENT -> {}
        }
        return answer;
    }

    private Answer run(Request request) {
        if (!sharing && request instanceof Request.Enter enter && enter.spec().weight() < Resource.WHOLE) {
            return Answer.of(
                            Answer.State.REFUSED,
                            world.inspect(enter.resource()).time())
                    .withRefusal("it has exclusive locks alone");
        }
        return refusedFix != null && request instanceof Request.Fix fix
                ? world.run(Request.Renew.of(fix.resource(), fix.id(), fix.sequence(), 1, 0, false))
                        .withRefusal(refusedFix)
                : world.run(request);
    }

    private Answer confirmed(Answer answer) {
        return (confirmation == null ? answer : answer.confirmedBy(confirmation)).from(run);
    }

    @Override
    public CompletionStage<Snapshot> inspect(String resource) {
        looks++;
        if (lookSent != null) {
            CompletableFuture<Snapshot> answer = new CompletableFuture<>();
            lookSent.accept(() -> {
                Snapshot seen = world.inspect(resource);
                return () -> answer.complete(seen);
            });
            return answer;
        }
        if (lookDelay != null) {
            Snapshot seen = world.inspect(resource);
            CompletableFuture<Snapshot> answer = new CompletableFuture<>();
            lookDelay.accept(resource, () -> answer.complete(seen));
            return answer;
        }
        return switch (line) {
            case UP -> CompletableFuture.completedStage(world.inspect(resource));
            case REFUSED, UNUSABLE ->
                CompletableFuture.failedStage(StoreException.unreachable("connection refused by the test", null));
            default -> new CompletableFuture<>();
        };
    }

    @Override
    public CompletionStage<NamePage> names(String prefix, String cursor) {
        return line == Line.UP
                ? CompletableFuture.completedStage(world.names(prefix, cursor))
                : CompletableFuture.failedStage(StoreException.unreachable("connection refused by the test", null));
    }

    @Override
    public void close() {
        wasClosed = true;
        RuntimeException thrownNow = thrownAtClose;
        if (thrownNow != null) {
            throw thrownNow;
        }
    }
}
