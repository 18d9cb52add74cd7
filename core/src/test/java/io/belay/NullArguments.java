package io.belay;

import io.belay.fence.Fence;
import io.belay.fence.FencingToken;
import io.belay.recipes.BatchedLock;
import io.belay.recipes.MultiLock;
import io.belay.recipes.StripedLock;
import io.belay.servers.NullProbe;
import io.belay.spi.Answer;
import io.belay.spi.Capabilities;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Confirmation;
import io.belay.spi.Finding;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Sink;
import io.belay.spi.Step;
import io.belay.spi.Store;
import io.belay.spi.StoreOpener;
import io.belay.spi.StoreProvider;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.belay.support.Moment;
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
            Fence.class);

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
                Set.of(),
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
                DeadlockPolicy.THROW,
                new Deadlock() {
                    @Override
                    public List<Edge> ring() {
                        return List.of();
                    }

                    @Override
                    public boolean permits() {
                        return false;
                    }
                },
                UnaryOperator.identity(),
                Optional.of(Duration.ZERO),
                BelayOptions.defaults(),
                Finding.Severity.NOTE,
                Log.of(LogName.CLIENT),
                LogName.CLIENT,
                new Sink());
    }

    private static List<Object> requests() {
        ClaimId id = ClaimId.of(1, 1);
        Owner owner = Owner.of("x", "x", 1, "x");
        Answer answer = Answer.of(Answer.State.GONE, 1);
        return List.of(
                id,
                owner,
                answer,
                answer.state(),
                Capabilities.none(),
                Push.of("x", id, 1, false, 1, 0),
                Resource.Tombstone.of(id, 1),
                Store.Snapshot.of(1, Optional.empty()),
                ClaimSpec.of(1, 1, 1),
                LockMode.SHARED,
                LossReason.FORCED,
                RequestKind.TAKE,
                Instant.EPOCH,
                LeaseLostException.of("x", 1),
                LeaseLostException.of("x", 1).withMessage("x"),
                Store.NamePage.last(List.of()),
                FencingToken.of("x", 1),
                Confirmation.of(1, 1),
                Claim.of(id, 1, 1, 1, owner).withEntered(1),
                Resource.UNUSED,
                Step.of(Resource.UNUSED, answer, List.of(), List.of(), List.of()),
                Request.Enter.of("x", id, ClaimSpec.of(1, 1, 1), 0, owner),
                Request.Leave.of("x", id, false),
                Request.Renew.of("x", id, 1, 1, 0, false),
                Request.Yield.of("x", id, 1, 1, 0),
                Request.Reweight.of("x", id, 1, 0, 1),
                Request.Fix.of("x", id, 1, 0, 1),
                Request.Describe.of("x", id, 1, owner),
                Request.Skip.of("x", id, 1),
                Request.Resize.of("x", 1),
                Request.Evict.of("x"),
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
                new ForwardingLease(belay.lock("forwarded").acquire()) {},
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
