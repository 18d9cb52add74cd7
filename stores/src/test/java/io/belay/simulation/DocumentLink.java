package io.belay.simulation;

import io.belay.document.Documents;
import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client's way to the database: its sessions, and the connection on which it hears calls. */
final class DocumentLink implements Documents, Link {
    final Database database;
    final World world;
    final Machine machine;
    private final long client;
    private final Loop loop;
    private final List<DocumentSession> sessions = new ArrayList<>();
    private final long latency;
    private @Nullable Bell bell;
    private long lastCall;
    private boolean cut;
    private boolean closed;
    /** Whether a lost connection is silent: nothing fails, and what was sent arrives when it is there again. */
    private boolean silent;

    private final List<Runnable> delayed = new ArrayList<>();

    DocumentLink(Database database, Machine machine, long client) {
        this.database = database;
        this.machine = machine;
        this.client = client;
        world = database.world;
        loop = new Loop(world, machine);
        latency = database.isFar() ? world.chance.magnitude(20_000, 2_000_000) : world.chance.magnitude(2_000, 20_000);
        cut = database.isDown();
        database.join(this);
    }

    @Override
    public long client() {
        return client;
    }

    @Override
    public Machine machine() {
        return machine;
    }

    // What the client asks.

    @Override
    public Session connect() {
        world.mayPause();
        if (closed) {
            throw StoreException.unusable("the client was closed", null);
        }
        DocumentSession session = new DocumentSession(this);
        sessions.add(session);
        session.greet();
        return session;
    }

    @Override
    public boolean isFar() {
        return database.isFar();
    }

    @Override
    public boolean listen(long number, Bell listener) {
        bell = database.rings() ? listener : null;
        return database.rings();
    }

    @Override
    public void close() {
        closed = true;
        database.part(this);
        List.copyOf(sessions).forEach(DocumentSession::close);
    }

    void ended(DocumentSession session) {
        sessions.remove(session);
    }

    boolean isClosed() {
        return closed;
    }

    // The network.

    /** Carries something to the other end, or loses it; whoever waits for an answer is to be told if it is known to be lost. */
    void carry(Runnable message) {
        long takes = latency / 2 + world.chance.between(0, latency);
        if (world.has(Fault.LATE_MESSAGES) && world.chance.onceIn(30)) {
            takes += world.chance.magnitude(1_000_000, 4_000_000_000L);
            machine.trouble(takes);
        }
        if (world.has(Fault.LOST_MESSAGES) && world.chance.onceIn(60)) {
            machine.trouble(2 * database.timeout);
            return;
        }
        world.scheduler.later(takes, () -> arrive(message));
    }

    private void arrive(Runnable message) {
        if (cut && silent) {
            delayed.add(message);
        } else {
            Hooks.solidly(message);
        }
    }

    /** Whether somebody is at the other end. */
    boolean isUp() {
        return !database.isDown() && !cut;
    }

    /** Somebody calls. Nobody knows of a call that is not heard, so that the client learns of it when it next asks. */
    void rang(String resource) {
        Bell listener = bell;
        if (listener == null || closed) {
            return;
        }
        long takes = latency / 2 + world.chance.between(0, latency) + world.pushDelay(machine);
        if (world.has(Fault.LATE_MESSAGES) && world.chance.onceIn(30)) {
            takes += world.chance.magnitude(1_000_000, 4_000_000_000L);
            machine.trouble(takes);
        }
        if (cut || (world.has(Fault.LOST_MESSAGES) && world.chance.onceIn(30))) {
            machine.trouble(world.requestTimeout);
            return;
        }
        lastCall = Math.max(world.scheduler.now() + takes, lastCall + 1);
        world.scheduler.later(lastCall - world.scheduler.now(), () -> {
            if (!cut && !closed) {
                loop.add(() -> {
                    world.story.tell(world.scheduler, machine, () -> "hears a call about " + resource);
                    listener.rang(resource);
                });
            }
        });
    }

    @Override
    public void cut() {
        if (!cut && !closed) {
            cut = true;
            silent = !database.isDown() && world.chance.onceIn(2);
            if (!silent) {
                List.copyOf(sessions).forEach(session -> session.fail("the connection was lost"));
            }
        }
    }

    @Override
    public void heal() {
        if (cut && !closed && !database.isDown()) {
            cut = false;
            List<Runnable> late = List.copyOf(delayed);
            delayed.clear();
            late.forEach(Hooks::solidly);
            Bell listener = bell;
            if (listener != null) {
                loop.add(listener::missed);
            }
        }
    }

    @Override
    public boolean isCut() {
        return cut;
    }
}
