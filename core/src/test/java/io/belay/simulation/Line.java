package io.belay.simulation;

import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Step;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A client's connection to the store: a network with messages that take their time, or a call. */
final class Line implements Store {
    final World world;
    final Machine machine;
    final long client;
    private final Store.Listener listener;
    private final Loop loop;
    /** What is not answered yet, and fails when the connection is lost. */
    private final List<CompletableFuture<?>> open = new ArrayList<>();

    private final long latency;
    private long lastThere;
    private long lastBack;
    private boolean cut;
    private boolean closed;
    /** Counts the connections: what was sent on an earlier one is not answered. */
    private int connection;

    Line(World world, Machine machine, long client, Store.Listener listener) {
        this.world = world;
        this.machine = machine;
        this.client = client;
        this.listener = listener;
        loop = new Loop(world, machine);
        latency = world.chance.magnitude(20_000, 2_000_000);
        world.server.join(this);
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, true, true, true);
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        world.story.tell(world.scheduler, machine, () -> "sends " + Words.of(request));
        return ask(request instanceof Request.Enter, () -> {
            Step step = world.server.run(request);
            world.story.tell(
                    world.scheduler, "store", () -> "runs " + Words.of(request) + ": " + Words.of(step.answer()));
            return step.answer().from(world.server.run());
        });
    }

    @Override
    public CompletionStage<List<Answer>> renew(List<Request.Renew> renewals) {
        world.story.tell(world.scheduler, machine, () -> "sends a chunk: " + Words.of(renewals));
        return ask(false, () -> {
            List<Answer> answers = new ArrayList<>(renewals.size());
            boolean bad = false;
            for (Request.Renew renewal : renewals) {
                bad |= world.isBad(renewal.resource());
                answers.add(world.server.run(renewal).answer().from(world.server.run()));
            }
            world.story.tell(world.scheduler, "store", () -> "runs " + Words.of(renewals));
            if (bad) {
                throw StoreException.unusable("one of the renewals cannot be made", null);
            }
            return answers;
        });
    }

    @Override
    public CompletionStage<Snapshot> inspect(String resource) {
        return ask(false, () -> world.server.inspect(resource));
    }

    private <T> CompletableFuture<T> ask(boolean enter, Supplier<T> request) {
        world.mayPause();
        if (closed) {
            return CompletableFuture.failedFuture(StoreException.unusable("the client was closed", null));
        } else if (cut) {
            return CompletableFuture.failedFuture(StoreException.unreachable("there is no connection", null));
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (world.plan.atOnce()) {
            run(request, answer, 0);
            return answer;
        }
        open.add(answer);
        int sentOn = connection;
        int copies = !enter && world.has(Fault.DOUBLED_MESSAGES) && world.chance.onceIn(20) ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            if (!isLost()) {
                lastThere = arrival(lastThere);
                world.scheduler.later(lastThere - world.scheduler.now(), () -> run(request, answer, sentOn));
            }
        }
        return answer;
    }

    private boolean isLost() {
        boolean lost = world.has(Fault.LOST_MESSAGES) && world.chance.onceIn(30);
        if (lost) {
            machine.trouble(world.requestTimeout);
        }
        return lost;
    }

    /** Draws when a message arrives. */
    private long arrival(long last) {
        long takes = latency / 2 + world.chance.between(0, latency);
        if (world.has(Fault.LATE_MESSAGES) && world.chance.onceIn(30)) {
            takes += world.chance.magnitude(1_000_000, 4_000_000_000L);
            machine.trouble(takes);
        }
        long at = world.scheduler.now() + takes;
        return world.has(Fault.OVERTAKING) ? at : Math.max(at, last + 1);
    }

    private <T> void run(Supplier<T> request, CompletableFuture<T> answer, int sentOn) {
        if (world.server.isDown()) {
            return;
        }
        T made;
        try {
            made = request.get();
        } catch (StoreException e) {
            back(sentOn, answer, () -> answer.completeExceptionally(e));
            return;
        }
        back(sentOn, answer, () -> answer.complete(made));
    }

    private void back(int sentOn, CompletableFuture<?> answer, Runnable completion) {
        if (world.plan.atOnce()) {
            completion.run();
            return;
        }
        if (isLost() || sentOn != connection) {
            return;
        }
        lastBack = arrival(lastBack);
        world.scheduler.later(lastBack - world.scheduler.now(), () -> {
            if (sentOn == connection && !closed) {
                open.remove(answer);
                loop.add(completion);
            }
        });
    }

    /** The store has something to tell. */
    void push(Push push) {
        world.story.tell(world.scheduler, "store", () -> "pushes to " + machine + ": " + Words.of(push));
        if (world.plan.atOnce()) {
            if (!closed && !machine.dead) {
                listener.pushed(push);
            }
            return;
        }
        int copies = world.has(Fault.DOUBLED_MESSAGES) && world.chance.onceIn(20) ? 2 : 1;
        int sentOn = connection;
        for (int i = 0; i < copies; i++) {
            if (cut || isLost()) {
                continue;
            }
            lastBack = arrival(lastBack);
            world.scheduler.later(lastBack - world.scheduler.now(), () -> {
                if (sentOn == connection && !closed) {
                    loop.add(() -> {
                        world.story.tell(world.scheduler, machine, () -> "hears the push " + Words.of(push));
                        listener.pushed(push);
                    });
                }
            });
        }
    }

    /** The connection is lost; what is not answered fails, though it may have run. */
    void cut() {
        if (!cut && !closed) {
            cut = true;
            connection++;
            List<CompletableFuture<?>> failed = List.copyOf(open);
            open.clear();
            loop.add(() -> failed.forEach(answer ->
                    answer.completeExceptionally(StoreException.unreachable("the connection was lost", null))));
        }
    }

    /** The connection is there again. */
    void heal() {
        if (cut && !closed) {
            cut = false;
            loop.add(listener::reconnected);
        }
    }

    boolean isCut() {
        return cut;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        world.server.part(this);
    }
}
