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
final class Line implements Store, Link {
    private final Server server;
    final World world;
    final Machine machine;
    final long client;
    private final Store.Listener listener;
    private final Loop loop;
    /** Pushes come beside answers, as a store may have a connection of their own for them. */
    private final Loop news;
    /** What is not answered yet, and fails when the connection is lost. */
    private final List<CompletableFuture<?>> open = new ArrayList<>();

    private final long latency;
    private long lastThere;
    private long lastBack;
    private boolean cut;
    private boolean closed;
    /** Counts the connections: what was sent on an earlier one is not answered. */
    private int connection;

    Line(Server server, Machine machine, long client, Store.Listener listener) {
        this.server = server;
        world = server.world;
        this.machine = machine;
        this.client = client;
        this.listener = listener;
        loop = new Loop(world, machine);
        news = new Loop(world, machine);
        latency = world.chance.magnitude(20_000, 2_000_000);
        cut = server.isDown();
        server.join(this);
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
        world.story.tell(world.scheduler, machine, () -> "sends " + Words.of(request));
        Supplier<Answer> run = () -> {
            if (world.isTooFullFor(request)) {
                throw StoreException.unusable("the store is full", null);
            }
            Step step = server.run(request);
            world.story.tell(
                    world.scheduler, "store", () -> "runs " + Words.of(request) + ": " + Words.of(step.answer()));
            return server.stamp(step.answer());
        };
        return ask(request instanceof Request.Enter, List.of(run)).get(0);
    }

    @Override
    public List<CompletableFuture<Answer>> renew(List<Request.Renew> renewals) {
        world.story.tell(world.scheduler, machine, () -> "sends a chunk: " + Words.of(renewals));
        List<Supplier<Answer>> each = new ArrayList<>(renewals.size());
        renewals.forEach(renewal -> each.add(() -> renewed(renewal)));
        return ask(false, each);
    }

    private Answer renewed(Request.Renew renewal) {
        if (world.isBad(renewal.resource())) {
            throw StoreException.unusable("'" + renewal.resource() + "' cannot be renewed", null);
        }
        Step step = server.run(renewal);
        world.story.tell(world.scheduler, "store", () -> "runs " + Words.of(renewal) + ": " + Words.of(step.answer()));
        return server.stamp(step.answer());
    }

    @Override
    public CompletionStage<Snapshot> inspect(String resource) {
        Supplier<Snapshot> look = () -> server.inspect(resource);
        return ask(false, List.of(look)).get(0);
    }

    @Override
    public CompletionStage<NamePage> names(String prefix, String cursor) {
        Supplier<NamePage> list = () -> server.names(prefix);
        return ask(false, List.of(list)).get(0);
    }

    /** Sends requests in one message; each is answered by itself. */
    private <T> List<CompletableFuture<T>> ask(boolean enter, List<Supplier<T>> requests) {
        world.mayPause();
        List<CompletableFuture<T>> answers = new ArrayList<>(requests.size());
        requests.forEach(request -> answers.add(new CompletableFuture<>()));
        if (closed) {
            fail(answers, StoreException.unusable("the client was closed", null));
        } else if (cut) {
            fail(answers, StoreException.unreachable("there is no connection", null));
        } else if (world.plan.shape() == Shape.ONCE) {
            run(requests, answers, connection);
        } else {
            open.addAll(answers);
            int sentOn = connection;
            int copies = !enter && isDoubled() ? 2 : 1;
            for (int i = 0; i < copies; i++) {
                if (!isLost()) {
                    lastThere = i == 0 ? arrival(lastThere) : lastThere;
                    long later = i == 0 ? 0 : world.chance.magnitude(10_000, 2_000_000_000);
                    world.scheduler.later(
                            lastThere + later - world.scheduler.now(), () -> run(requests, answers, sentOn));
                }
            }
        }
        return answers;
    }

    private static void fail(List<? extends CompletableFuture<?>> answers, StoreException error) {
        answers.forEach(answer -> answer.completeExceptionally(error));
    }

    private boolean isDoubled() {
        return world.has(Fault.DOUBLED_MESSAGES) && world.chance.onceIn(6);
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
        if (world.has(Fault.OVERTAKING) && world.chance.onceIn(4)) {
            takes += world.chance.between(0, 4 * latency);
        }
        long at = world.scheduler.now() + takes;
        return world.has(Fault.OVERTAKING) ? at : Math.max(at, last + 1);
    }

    private <T> void run(List<Supplier<T>> requests, List<CompletableFuture<T>> answers, int sentOn) {
        if (server.isDown()) {
            return;
        }
        for (int i = 0; i < requests.size(); i++) {
            CompletableFuture<T> answer = answers.get(i);
            try {
                T made = requests.get(i).get();
                back(sentOn, answer, () -> answer.complete(made));
            } catch (StoreException e) {
                back(sentOn, answer, () -> answer.completeExceptionally(e));
            }
        }
    }

    private void back(int sentOn, CompletableFuture<?> answer, Runnable completion) {
        if (world.plan.shape() == Shape.ONCE) {
            completion.run();
        } else if (sentOn == connection && !isLost()) {
            lastBack = arrival(lastBack);
            world.scheduler.later(lastBack - world.scheduler.now(), () -> {
                if (sentOn == connection && !closed) {
                    open.remove(answer);
                    loop.add(completion);
                }
            });
        }
    }

    /** The store has something to tell. */
    void push(Push push) {
        world.story.tell(world.scheduler, "store", () -> "pushes to " + machine + ": " + Words.of(push));
        if (world.plan.shape() == Shape.ONCE) {
            if (!closed && !machine.dead) {
                listener.pushed(push);
            }
            return;
        }
        int copies = isDoubled() ? 2 : 1;
        int sentOn = connection;
        for (int i = 0; i < copies; i++) {
            if (cut) {
                continue;
            } else if (isLost()) {
                machine.trouble(Thing.LONGEST_LEASE); // whoever waits asks at each third of a lease
                continue;
            }
            lastBack = arrival(lastBack);
            world.scheduler.later(lastBack + world.pushDelay(machine) - world.scheduler.now(), () -> {
                if (sentOn == connection && !closed) {
                    news.add(() -> {
                        world.story.tell(world.scheduler, machine, () -> "hears the push " + Words.of(push));
                        listener.pushed(push);
                    });
                }
            });
        }
    }

    @Override
    public long client() {
        return client;
    }

    @Override
    public Machine machine() {
        return machine;
    }

    /** What is not answered fails, though it may have run. */
    @Override
    public void cut() {
        if (!cut && !closed) {
            cut = true;
            connection++;
            List<CompletableFuture<?>> failed = List.copyOf(open);
            open.clear();
            loop.add(() -> failed.forEach(answer ->
                    answer.completeExceptionally(StoreException.unreachable("the connection was lost", null))));
        }
    }

    @Override
    public void heal() {
        if (cut && !closed && !server.isDown()) {
            cut = false;
            loop.add(listener::reconnected);
        }
    }

    @Override
    public boolean isCut() {
        return cut;
    }

    @Override
    public void close() {
        closed = true;
        server.part(this);
    }
}
