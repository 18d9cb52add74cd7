package io.belay;

import io.belay.recipes.BatchedLock;
import io.belay.recipes.MultiLock;
import io.belay.recipes.StripedLock;
import io.belay.servers.NullProbe;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.ClockSamples;
import io.belay.spi.Confirmation;
import io.belay.spi.Finding;
import io.belay.spi.Log;
import io.belay.spi.LogName;
import io.belay.spi.Moment;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Sink;
import io.belay.spi.Step;
import io.belay.spi.Store;
import io.belay.spi.StoreOpener;
import io.belay.spi.StoreProvider;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A process that passes null to everything that is public, and prints what does not refuse it, and then {@link #END}. */
final class NullArguments {
    static final String END = "end";

    /** What users and stores implement, and the library calls. */
    private static final Set<Class<?>> IMPLEMENTED_BY_OTHERS = Set.of(
            BatchedLock.Handler.class,
            CheckedCallable.class,
            CheckedRunnable.class,
            StripedLock.Work.class,
            StoreOpener.class,
            ClockSamples.Question.class);

    private final String url = "memory:x";
    private final List<AutoCloseable> opened = new ArrayList<>();

    private NullArguments() {}

    public static void main(String[] args) throws Exception {
        NullArguments arguments = new NullArguments();
        arguments.complaints().forEach(System.out::println);
        for (AutoCloseable one : arguments.opened) {
            one.close();
        }
        System.out.println(END);
    }

    private List<String> complaints() throws Exception {
        List<Object> samples = new ArrayList<>();
        samples.addAll(values());
        samples.addAll(requests());
        samples.addAll(user());
        samples.addAll(stores());
        return new NullProbe(IMPLEMENTED_BY_OTHERS, samples).complaints(Belay.class);
    }

    private static List<Object> values() {
        Runnable runnable = () -> {};
        CheckedCallable<String, RuntimeException> callable = () -> "x";
        CheckedRunnable<RuntimeException> checked = () -> {};
        Consumer<Object> consumer = any -> {};
        Executor executor = Runnable::run;
        LongSupplier clock = () -> 1;
        Supplier<Object> supplier = () -> "x";
        BatchedLock.Handler<String, String> handler = (entries, lease) -> {};
        StripedLock.Work<String, RuntimeException> work = (segment, lease) -> Optional.of("x");
        return List.of(
                "x",
                Duration.ofSeconds(1),
                TimeUnit.SECONDS,
                new RuntimeException("x"),
                new byte[1],
                ByteBuffer.allocate(1),
                List.of(),
                Map.of(),
                runnable,
                callable,
                checked,
                consumer,
                executor,
                clock,
                supplier,
                CompletableFuture.completedFuture(true),
                handler,
                work,
                LockOptions.defaults(),
                new BelayListener() {},
                UnaryOperator.identity(),
                Optional.of(Duration.ZERO),
                BelayOptions.defaults(),
                Finding.Severity.NOTE,
                Log.of(LogName.CLIENT),
                LogName.CLIENT,
                new Sink());
    }

    private static List<Object> requests() {
        ClaimId id = new ClaimId(1, 1);
        Owner owner = new Owner("x", "x", 1, "x");
        Answer answer = Answer.of(Answer.State.GONE, 1);
        return List.of(
                id,
                owner,
                answer,
                answer.state(),
                ClaimSpec.of(1, 1, 1),
                Inspection.Claim.of("x", "x", 1, "x", "x"),
                OwnHold.of("x", 1, "x", "x"),
                LockMode.SHARED,
                new LockStatistics.Waits(Map.of(), Map.of(), Duration.ZERO, 0),
                new LockStatistics.Holds(Map.of(), Map.of(), Duration.ZERO, Map.of()),
                new LockStatistics.Now(0, 0, Duration.ZERO, Duration.ZERO),
                new OwnWait("x", LockMode.SHARED, 1, "x", "x", Duration.ZERO),
                LossReason.FORCED,
                RequestKind.TAKE,
                new Statistics.Requests(0, Duration.ZERO, 0),
                Instant.EPOCH,
                new SlowRequest(RequestKind.TAKE, Duration.ZERO, Instant.EPOCH),
                LeaseLostException.of("x", 1),
                LeaseLostException.of("x", 1).withMessage("x"),
                Store.NamePage.last(List.of()),
                new Confirmation(1, 1),
                Claim.of(id, 1, 1, 1, owner).withEntered(1),
                Resource.UNUSED,
                new Step(Resource.UNUSED, answer, List.of(), List.of(), List.of()),
                new Request.Enter("x", id, ClaimSpec.of(1, 1, 1), 0, owner),
                new Request.Leave("x", id, false),
                new Request.Renew("x", id, 1, 1, 0, false),
                new Request.Yield("x", id, 1, 1, 0),
                new Request.Reweight("x", id, 1, 0, 1),
                new Request.Fix("x", id, 1, 0, 1),
                new Request.Describe("x", id, 1, owner),
                new Request.Skip("x", id, 1),
                new Request.Resize("x", 1),
                new Request.Evict("x"),
                Moment.now());
    }

    /** What users have in their hands. */
    private List<Object> user() throws Exception {
        Belay belay = open(Belay.connect(url));
        Belay namespace = belay.namespace("n");
        DistributedReadWriteLock both = belay.readWriteLock("b");
        DistributedSemaphore semaphore = belay.semaphore("s", 2);
        LeaderElection election = belay.election("e");
        MultiLock all = MultiLock.of(belay.lock("m"), namespace.lock("m"));
        StripedLock striped = StripedLock.of(belay, "t", 2);
        CompletableFuture<BatchedLock.Entry<String, String>> entry = new CompletableFuture<>();
        BatchedLock<String, String> batched = BatchedLock.of(belay.lock("q"), 1, (entries, lease) -> {
            entry.complete(entries.get(0));
            entries.get(0).complete("x");
        });
        batched.submit("x").join();
        return List.of(
                belay,
                namespace,
                belay.admin(),
                namespace.admin(),
                belay.lock("x"),
                both.readLock(),
                semaphore.permits(1),
                belay.reentrantLock("x"),
                belay.reentrantReadWriteLock("b").readLock(),
                belay.reentrantReadWriteLock("b").writeLock(),
                both,
                semaphore,
                election,
                belay.countDownLatch("l"),
                belay.once("o", Duration.ofMillis(1)),
                all,
                striped,
                batched,
                entry.join(),
                new DistributedLock[] {belay.lock("m")},
                belay.lock("held").acquire(),
                belay.election("led").campaign(),
                MultiLock.of(belay.lock("taken")).acquire());
    }

    /** What authors of stores have in their hands, and the stores themselves. */
    private List<Object> stores() {
        List<Object> all = new ArrayList<>();
        List<Store.Listener> listeners = new ArrayList<>();
        StoreProvider memory =
                ServiceLoader.load(StoreProvider.class).findFirst().orElseThrow();
        all.add(memory);
        ClockSamples.Question<RuntimeException> question = () -> 0;
        all.add(question);
        StoreOpener opener = (client, listener) -> {
            listeners.add(listener);
            return memory.open(url, client, listener);
        };
        open(Belay.connect(opener, BelayOptions.defaults()));
        Store.Listener engine = listeners.get(0);
        all.addAll(List.of(opener, engine));
        all.add(open(memory.open(url, 1, engine)));
        return all;
    }

    private <T extends AutoCloseable> T open(T one) {
        opened.add(0, one);
        return one;
    }
}
