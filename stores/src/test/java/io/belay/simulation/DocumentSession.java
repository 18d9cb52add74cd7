package io.belay.simulation;

import io.belay.document.Documents;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connection to the database: a call keeps its thread waiting until there is an answer, or none can come any more. */
final class DocumentSession implements Documents.Session {
    private final DocumentLink link;
    private final World world;
    private final Database database;
    private @Nullable Call<?> open;
    private @Nullable StoreException broken;

    DocumentSession(DocumentLink link) {
        this.link = link;
        world = link.world;
        database = link.database;
    }

    /** Something that is asked for. */
    private final class Call<T> {
        private final Actor actor = world.scheduler.current();
        private @Nullable T answer;
        private @Nullable StoreException failure;

        boolean isOver() {
            return answer != null || failure != null;
        }

        /** Goes back with an answer. */
        void answer(T made) {
            link.carry(() -> {
                if (!isOver() && link.isUp()) {
                    answer = made;
                    world.scheduler.unpark(actor);
                }
            });
        }

        void fail(StoreException why) {
            link.carry(() -> end(why));
        }

        void end(StoreException why) {
            if (!isOver()) {
                failure = why;
                world.scheduler.unpark(actor);
            }
        }
    }

    /** Sends something to the database and waits for the answer; nobody knows whether it was done where there is none. */
    private <T> T call(Consumer<Call<T>> atServer) {
        world.mayPause();
        StoreException before = broken;
        if (before != null) {
            link.machine.trouble(0); // an outage is noticed long after
            throw before;
        }
        Call<T> call = new Call<>();
        open = call;
        link.carry(() -> {
            // Who has hung up meanwhile may be asked for all the same.
            if (link.isUp()) {
                atServer.accept(call);
            } else {
                call.end(StoreException.unreachable("there is no connection", null));
            }
        });
        long until = world.scheduler.now() + database.timeout;
        while (!call.isOver() && world.scheduler.now() < until) {
            world.scheduler.park(until - world.scheduler.now());
        }
        open = null;
        StoreException failure = call.failure;
        if (failure == null && call.answer == null) {
            failure = StoreException.unreachable("there was no answer in time", null);
            fail("there was no answer in time");
        }
        if (failure != null) {
            throw failure;
        }
        return Objects.requireNonNull(call.answer);
    }

    /** Connects. */
    void greet() {
        try {
            this.<Boolean>call(call -> call.answer(true));
        } catch (StoreException e) {
            link.ended(this);
            throw e;
        }
    }

    private void spoilt(Collection<String> resources) {
        for (String name : resources) {
            if (world.isBad(name)) {
                throw StoreException.unusable("'" + name + "' cannot be read or written", null);
            }
        }
    }

    /** What fails for what it finds has its failure carried back. */
    private <T> T ask(Consumer<Call<T>> atServer) {
        return call(call -> {
            try {
                atServer.accept(call);
            } catch (StoreException e) {
                call.fail(e);
            }
        });
    }

    @Override
    public Documents.Reading read(Collection<String> resources) {
        List<String> names = List.copyOf(resources);
        return this.<Documents.Reading>ask(call -> {
            spoilt(names);
            call.answer(database.read(names));
        });
    }

    @Override
    public Set<String> write(List<Documents.Change> changes, long notAfter) {
        List<Documents.Change> sorted = changes.stream()
                .sorted(Comparator.comparing(Documents.Change::resource))
                .toList();
        return this.<Set<String>>ask(call -> {
            spoilt(sorted.stream().map(Documents.Change::resource).toList());
            make(call, sorted, notAfter, new HashSet<>());
        });
    }

    /** Makes all changes at once, or one after the other. */
    private void make(Call<Set<String>> call, List<Documents.Change> changes, long notAfter, Set<String> done) {
        for (int i = 0; i < changes.size(); i++) {
            Documents.Change change = changes.get(i);
            boolean made = database.write(change, notAfter, link.client());
            if (made) {
                done.add(change.resource());
            }
            world.story.tell(
                    world.scheduler,
                    "store",
                    () -> (made ? "has " : "refuses to have ") + link.machine + " write " + change.resource() + ": "
                            + Words.of(database.resource(change.resource())));
            if (database.piecemeal && i + 1 < changes.size()) {
                List<Documents.Change> left = changes.subList(i + 1, changes.size());
                long pause = world.chance.between(1_000, 100_000);
                world.scheduler.later(
                        pause,
                        () -> Hooks.solidly(() -> {
                            if (!database.isDown()) {
                                make(call, left, notAfter, done);
                            }
                        }));
                return;
            }
        }
        call.answer(done);
    }

    @Override
    public boolean reserve(String resource, long version, long over) {
        return this.<Boolean>ask(call -> {
            spoilt(List.of(resource));
            boolean made = database.reserve(resource, version, over);
            Thing thing = world.thing(resource);
            if (made && thing != null) {
                thing.reserver = link.machine;
                thing.reserved = world.scheduler.now();
            }
            world.story.tell(
                    world.scheduler,
                    "store",
                    () -> (made ? "has " : "refuses to have ") + link.machine + " reserve " + resource);
            call.answer(made);
        });
    }

    @Override
    public Store.NamePage names(String prefix, String cursor) {
        return this.<Store.NamePage>ask(call -> call.answer(database.names(prefix)));
    }

    @Override
    public void ring(Collection<Documents.Call> calls) {
        List<Documents.Call> all = List.copyOf(calls);
        this.<Boolean>ask(call -> {
            database.ring(all);
            call.answer(true);
        });
    }

    @Override
    public boolean sweep() {
        return this.<Boolean>ask(call -> {
            database.sweep();
            call.answer(false);
        });
    }

    /** Nothing is answered any more. */
    void fail(String why) {
        if (broken == null) {
            broken = StoreException.unreachable(why, null);
        }
        Call<?> waits = open;
        if (waits != null) {
            waits.end(broken);
        }
    }

    @Override
    public void close() {
        link.ended(this);
        fail("the connection was closed");
    }
}
