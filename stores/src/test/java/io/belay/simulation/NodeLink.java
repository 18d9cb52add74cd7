package io.belay.simulation;

import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A client's connection to a {@link Service}: what is asked over it, and what is told. */
abstract class NodeLink implements Link {
    final Service service;
    final World world;
    final Machine machine;
    private final long client;
    /** The threads of answers, of news, and of what a timer runs: one and the same where order is kept. */
    private final Loop loop;

    private final Loop news;
    private final Loop late;
    private final long latency;
    /** What is not answered yet. */
    private final List<CompletableFuture<?>> open = new ArrayList<>();

    private final List<NodeWatch> watches = new ArrayList<>();

    private long lastThere;
    private long lastBack;
    private long lastTold;
    private boolean cut;
    private boolean closed;
    private int connection;

    NodeLink(Service service, Machine machine, long client) {
        this.service = service;
        this.machine = machine;
        this.client = client;
        world = service.world;
        loop = new Loop(world, machine);
        news = isInOrder() ? loop : new Loop(world, machine);
        late = isInOrder() ? loop : new Loop(world, machine);
        latency = world.chance.magnitude(20_000, 2_000_000);
        cut = service.isDown();
        service.join(this);
    }

    @Override
    public long client() {
        return client;
    }

    @Override
    public Machine machine() {
        return machine;
    }

    /** Whether what is asked one after the other is done in that order, and nothing after the connection is lost. */
    abstract boolean isInOrder();

    // What the client asks.

    /** Asks for something; what fails may have been done. */
    <T> CompletableFuture<T> ask(Supplier<T> atServer) {
        world.mayPause();
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (closed) {
            answer.completeExceptionally(StoreException.unusable("the client was closed", null));
        } else if (cut) {
            answer.completeExceptionally(StoreException.unreachable("there is no connection", null));
        } else {
            open.add(answer);
            int sentOn = connection;
            if (isLost()) {
                overdue(answer);
            } else {
                there(sentOn, () -> run(atServer, answer, sentOn));
            }
        }
        return answer;
    }

    /** Sends something that is not answered. */
    void send(Runnable atServer) {
        if (!closed && !cut) {
            there(connection, atServer);
        }
    }

    private void there(int sentOn, Runnable atServer) {
        lastThere = arrival(lastThere, isOvertaken());
        world.scheduler.later(lastThere - world.scheduler.now(), () -> {
            if (!service.isDown() && !(isInOrder() && sentOn != connection)) {
                Hooks.solidly(atServer);
            }
        });
    }

    private <T> void run(Supplier<T> atServer, CompletableFuture<T> answer, int sentOn) {
        try {
            T made = atServer.get();
            back(answer, sentOn, () -> answer.complete(made));
        } catch (StoreException e) {
            back(answer, sentOn, () -> answer.completeExceptionally(e));
        }
    }

    private void back(CompletableFuture<?> answer, int sentOn, Runnable completion) {
        if (sentOn != connection) {
            return;
        } else if (isLost()) {
            overdue(answer);
            return;
        }
        boolean overtaken = isOvertaken();
        lastBack = arrival(isInOrder() ? Math.max(lastBack, lastTold) : lastBack, overtaken);
        world.scheduler.later(lastBack - world.scheduler.now(), () -> {
            if (sentOn == connection && !closed) {
                open.remove(answer);
                loop.add(completion);
            }
        });
    }

    /** What is not answered in time fails. */
    private void overdue(CompletableFuture<?> answer) {
        world.scheduler.later(service.timeout, () -> {
            if (open.remove(answer)) {
                late.add(() ->
                        answer.completeExceptionally(StoreException.unreachable("there was no answer in time", null)));
            }
        });
    }

    /** The service tells something, in order, unless the connection is lost. */
    void tell(Runnable what) {
        int toldOn = connection;
        if (cut) {
            return;
        }
        lastTold = arrival(isInOrder() ? Math.max(lastBack, lastTold) : lastTold, false);
        world.scheduler.later(lastTold - world.scheduler.now(), () -> {
            if (toldOn == connection && !closed) {
                news.add(what);
            }
        });
    }

    void soon(Runnable what) {
        late.add(what);
    }

    // The network.

    /** A service may give no answer; where order is kept, the connection is given up then. */
    private boolean isLost() {
        boolean lost = world.has(Fault.LOST_MESSAGES) && world.chance.onceIn(60);
        if (lost) {
            machine.trouble(2 * service.timeout);
            if (isInOrder()) {
                cut();
                world.scheduler.later(world.chance.magnitude(1_000_000, 500_000_000), this::heal);
            }
        }
        return lost;
    }

    private boolean isOvertaken() {
        return !isInOrder() && world.has(Fault.OVERTAKING);
    }

    private long arrival(long last, boolean overtaken) {
        long takes = latency / 2 + world.chance.between(0, latency);
        if (world.has(Fault.LATE_MESSAGES) && world.chance.onceIn(30)) {
            takes += world.chance.magnitude(1_000_000, 4_000_000_000L);
            machine.trouble(takes);
        }
        if (overtaken && world.chance.onceIn(4)) {
            takes += world.chance.between(0, 4 * latency);
        }
        long at = world.scheduler.now() + takes;
        return overtaken ? at : Math.max(at, last + 1);
    }

    // Watches.

    void watch(NodeWatch watch) {
        watches.add(watch);
        watch.begin();
    }

    void forget(NodeWatch watch) {
        watches.remove(watch);
    }

    void forgetAll() {
        List.copyOf(watches).forEach(NodeWatch::end);
    }

    /** Watches everything anew that is still watched. */
    void watchAgain() {
        List.copyOf(watches).forEach(NodeWatch::begin);
    }

    // What happens to it.

    @Override
    public void cut() {
        if (!cut && !closed) {
            cut = true;
            connection++;
            failAll(StoreException.unreachable("the connection was lost", null));
            watches.forEach(NodeWatch::doubt);
        }
    }

    private void failAll(StoreException error) {
        List<CompletableFuture<?>> failed = List.copyOf(open);
        open.clear();
        if (!failed.isEmpty()) {
            loop.add(() -> failed.forEach(answer -> answer.completeExceptionally(error)));
        }
    }

    @Override
    public void heal() {
        if (cut && !closed && !service.isDown()) {
            cut = false;
            connected();
        }
    }

    /** The connection is there again. */
    abstract void connected();

    @Override
    public boolean isCut() {
        return cut;
    }

    boolean isClosed() {
        return closed;
    }

    void hangUp() {
        closed = true;
        service.part(this);
        failAll(StoreException.unusable("the client was closed", null));
    }
}
