package io.belay.tck;

import io.belay.node.Capacity;
import io.belay.node.Deadline;
import io.belay.node.Details;
import io.belay.node.Node;
import io.belay.node.NodeQueue;
import io.belay.node.Nodes;
import io.belay.node.Position;
import io.belay.spi.ClaimId;
import io.belay.spi.Store;
import io.belay.tck.SampleDatabase.Value;
import io.belay.tck.SampleLine.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Nodes in a {@link SampleDatabase}, those of a resource in one value, with or without a mistake. Requests may overtake each other. */
final class SampleNodes implements Nodes {
    private static final Object IN_THIS_PROCESS = new Object();

    private final Flaw flaw;
    private final SampleThreads threads;

    SampleNodes(int port, Flaw flaw) {
        this.flaw = flaw;
        threads = new SampleThreads(port);
    }

    @Override
    public boolean leasePerClaim() {
        return true;
    }

    private <T> CompletionStage<T> look(String resource, Function<SampleLine, T> work) {
        return threads.run(connection -> work.apply(read(connection, resource).line()));
    }

    private record Found(long version, SampleLine line) {}

    private static Found read(SampleConnection connection, String resource) {
        Value value = connection.read(List.of(resource)).get(0);
        return new Found(value.version(), new SampleLine(resource, value.bytes(), connection.time()));
    }

    /** What is done to a resource, at a time of the database's clock. */
    private interface Step<T> {
        T to(SampleLine line, long now);
    }

    private <T> CompletionStage<T> change(String resource, Step<T> step) {
        return threads.run(connection -> {
            if (flaw == Flaw.LOCKED_IN_ONE_PROCESS) {
                synchronized (IN_THIS_PROCESS) {
                    return change(connection, resource, step, false);
                }
            }
            return change(connection, resource, step, flaw != Flaw.COMPARED_BEFORE_WRITTEN);
        });
    }

    private static <T> T change(SampleConnection connection, String resource, Step<T> step, boolean compared) {
        while (true) {
            Found found = read(connection, resource);
            T result = step.to(found.line(), connection.time());
            Value next = new Value(
                    ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE),
                    found.line().encode());
            if (connection.write(resource, compared, found.version(), next, Long.MAX_VALUE)) {
                return result;
            }
        }
    }

    private static long end(ClaimId id, Details details, long now) {
        return id.client() == ClaimId.NOBODY ? Long.MAX_VALUE : now + details.lease();
    }

    private static Position entry(NodeQueue line, Standing own, Deadline asked) {
        return new Position(
                line,
                own.node(),
                asked.plus(TimeUnit.MICROSECONDS.toNanos(own.node().details().lease())));
    }

    @Override
    public CompletionStage<Optional<Position>> enter(String resource, ClaimId id, int capacity, Details details) {
        Deadline asked = Deadline.over();
        Step<Optional<Position>> step = (line, now) -> {
            Optional<Standing> before = line.find(id);
            boolean late = line.ended.contains(id) && flaw != Flaw.LATE_ENTER_OBEYED;
            if (before.isEmpty() && (late || (id.client() == ClaimId.NOBODY && line.hasNobodys()))) {
                return Optional.empty();
            }
            before.ifPresent(one -> line.replace(one, new Standing(one.node(), end(id, details, now), one.fixed())));
            Standing own = before.orElseGet(() -> line.add(id, capacity, details, end(id, details, now)));
            return Optional.of(entry(line.line(), own, asked));
        };
        return flaw == Flaw.LINE_READ_TOO_EARLY
                ? look(resource, SampleLine::line)
                        .thenCompose(early ->
                                change(resource, step).thenApply(entered -> entered.map(entry -> early(early, entry))))
                : change(resource, step);
    }

    /** The line as it was, and behind it the own node. */
    private static Position early(NodeQueue line, Position entry) {
        List<Node> nodes = new ArrayList<>(line.nodes());
        nodes.removeIf(node -> node.id().equals(entry.own().id()));
        nodes.add(entry.own());
        return new Position(new NodeQueue(line.set(), nodes), entry.own(), entry.until());
    }

    @Override
    public CompletionStage<NodeQueue> list(String resource, boolean whole) {
        return look(resource, SampleLine::line);
    }

    @Override
    public CompletionStage<Optional<Position>> requeue(String resource, Node own, Details details, boolean unclear) {
        Deadline asked = Deadline.over();
        return change(
                resource,
                (line, now) -> line.find(own).map(before -> {
                    line.remove(List.of(before));
                    if (unclear) {
                        line.ended.add(own.id());
                    }
                    Standing moved = line.add(own.id(), own.capacity(), details, end(own.id(), details, now));
                    return entry(line.line(), moved, asked);
                }));
    }

    @Override
    public CompletionStage<Boolean> leave(String resource, ClaimId id, @Nullable Node own, boolean unclear) {
        return change(resource, (line, now) -> {
            if (unclear) {
                line.ended.add(id);
            }
            return remove(line, node -> node.id().equals(id));
        });
    }

    @Override
    public CompletionStage<Boolean> remove(String resource, List<Node> nodes) {
        return change(
                resource,
                (line, now) -> remove(line, node -> nodes.stream().anyMatch(other -> other.order() == node.order())));
    }

    private static boolean remove(SampleLine line, Predicate<Node> which) {
        return line.remove(
                line.standing.stream().filter(one -> which.test(one.node())).toList());
    }

    @Override
    public CompletionStage<Boolean> resize(String resource, Capacity read, Capacity next) {
        return change(resource, (line, now) -> {
            boolean same = line.set.version() == read.version();
            if (same) {
                line.resize(next);
            }
            return same;
        });
    }

    @Override
    public CompletionStage<List<Optional<Node>>> read(List<Node> nodes) {
        return nodes.isEmpty()
                ? CompletableFuture.completedStage(List.of())
                : look(
                        SampleLine.resourceOf(nodes.get(0)),
                        line -> nodes.stream()
                                .map(node -> line.find(node).map(Standing::node))
                                .toList());
    }

    @Override
    public CompletionStage<Optional<Node>> write(Node node, Details details) {
        return change(
                SampleLine.resourceOf(node),
                (line, now) -> line.find(node)
                        .filter(one -> one.node().version() == node.version() || flaw == Flaw.DETAILS_NOT_COMPARED)
                        .map(one -> {
                            Node next = one.node().with(one.node().version() + 1, details);
                            line.replace(one, new Standing(next, one.end(), one.fixed()));
                            return next;
                        }));
    }

    @Override
    public List<CompletionStage<Optional<Deadline>>> renew(List<Node> own, boolean held) {
        return own.stream().map(this::renew).toList();
    }

    private CompletionStage<Optional<Deadline>> renew(Node own) {
        Deadline asked = Deadline.over();
        return change(
                SampleLine.resourceOf(own),
                (line, now) -> line.find(own).map(one -> {
                    if (one.fixed()) {
                        return asked.plus(TimeUnit.MICROSECONDS.toNanos(one.end() - now));
                    }
                    long lease = one.node().details().lease();
                    line.replace(one, new Standing(one.node(), now + lease, false));
                    return asked.plus(TimeUnit.MICROSECONDS.toNanos(lease));
                }));
    }

    @Override
    public CompletionStage<Optional<Node>> fix(Node own, Details details, long lease) {
        return change(
                SampleLine.resourceOf(own),
                (line, now) -> line.find(own)
                        .filter(one -> one.node().version() == own.version())
                        .map(one -> {
                            Node next = one.node().with(one.node().version() + 1, details);
                            line.replace(one, new Standing(next, now + lease, true));
                            return next;
                        }));
    }

    @Override
    public Watch watch(Node node, List<Node> ahead, Consumer<Optional<Node>> changed) {
        return await(SampleLine.resourceOf(node), line -> {
            Optional<Node> now = line.find(node).map(Standing::node);
            boolean same = now.isPresent() && now.get().version() == node.version();
            return same ? null : () -> changed.accept(now);
        });
    }

    @Override
    public Watch watchArrivals(String resource, Node own, int room, Runnable arrived) {
        return await(resource, line -> line.isArrived(own, room) ? arrived : null);
    }

    /** Looks again and again, until there is something to tell. */
    private Watch await(String resource, Function<SampleLine, @Nullable Runnable> look) {
        SampleThreads.Poll poll =
                threads.poll(connection -> look.apply(read(connection, resource).line()));
        return poll::cancel;
    }

    @Override
    public CompletionStage<Store.NamePage> names(String prefix, String cursor) {
        return threads.run(connection -> {
            List<String> names = connection.names(prefix, cursor);
            return Store.NamePage.of(
                    names, names.isEmpty() ? Optional.empty() : Optional.of(names.get(names.size() - 1)));
        });
    }

    @Override
    public void close() {
        threads.close();
    }
}
