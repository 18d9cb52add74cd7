package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.belay.node.Details;
import io.belay.node.Node;
import io.belay.node.Position;
import io.belay.servers.EtcdServer;
import io.belay.servers.Pace;
import io.belay.spi.ClaimId;
import io.belay.spi.Owner;
import io.belay.spi.Resource;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Txn;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchResponse;
import io.grpc.Status;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of claims' keys at a real etcd, where some requests come to it late or not at all. */
@Tag("consensus")
class EtcdNodesTest {
    private static final ClaimId ID = ClaimId.of(1, 1);
    private static final Keys KEYS = new Keys("belay/");

    /** What the next transactions wait for, in their order, before they are sent. */
    private final Queue<Supplier<CompletableFuture<?>>> waits = new ConcurrentLinkedQueue<>();

    /** How many watches were begun. */
    private final AtomicInteger watches = new AtomicInteger();

    /** The last revision that the member knows at which watches begin; less than 0 if it knows all. */
    private volatile long lag = -1;

    /** The revisions that such watches were told of. */
    private final Queue<Long> learnt = new ConcurrentLinkedQueue<>();

    private static Details details(int localWaiters) {
        Owner owner = Owner.of("client", "host", 1, "thread");
        return new Details(Resource.WHOLE, 0, false, false, 30_000_000, 0, 0, localWaiters, owner);
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private Txn late(Txn real) {
        return proxy(Txn.class, (self, method, arguments) -> {
            if (!method.getName().equals("commit")) {
                method.invoke(real, arguments);
                return self;
            }
            Supplier<CompletableFuture<?>> wait = waits.poll();
            return wait == null ? real.commit() : wait.get().thenCompose(now -> real.commit());
        });
    }

    /** Watches as at a member that has yet to learn of all that came after {@link #lag}. */
    private Watch.Watcher lagging(Watch real, ByteSequence key, Watch.Listener listener) {
        WatchOption option = WatchOption.builder()
                .withCreateNotify(true)
                .withRequireLeader(true)
                .withRevision(lag + 1)
                .build();
        return real.watch(key, option, new Watch.Listener() {
            @Override
            public void onNext(WatchResponse response) {
                listener.onNext(response);
                response.getEvents()
                        .forEach(event -> learnt.add(event.getKeyValue().getModRevision()));
            }

            @Override
            public void onError(Throwable error) {
                listener.onError(error);
            }

            @Override
            public void onCompleted() {
                listener.onCompleted();
            }
        });
    }

    private static Client connect(EtcdServer etcd) {
        return Client.builder().endpoints("http://127.0.0.1:" + etcd.port()).build();
    }

    private EtcdNodes nodes(EtcdServer etcd) {
        return nodes(etcd, "60s");
    }

    private EtcdNodes nodes(EtcdServer etcd, String timeout) {
        Client real = connect(etcd);
        KV kv = proxy(
                KV.class,
                (self, method, arguments) -> method.getName().equals("txn")
                        ? late(real.getKVClient().txn())
                        : method.invoke(real.getKVClient(), arguments));
        Watch watch = proxy(Watch.class, (self, method, arguments) -> {
            if (method.getName().equals("watch")) {
                watches.incrementAndGet();
            }
            return lag < 0 || arguments.length < 3
                    ? method.invoke(real.getWatchClient(), arguments)
                    : lagging(real.getWatchClient(), (ByteSequence) arguments[0], (Watch.Listener) arguments[2]);
        });
        Client client = proxy(Client.class, (self, method, arguments) -> switch (method.getName()) {
            case "getKVClient" -> kv;
            case "getWatchClient" -> watch;
            default -> method.invoke(real, arguments);
        });
        EtcdUrl url = EtcdUrl.parse("etcd://127.0.0.1:" + etcd.port() + "?timeout=" + timeout);
        Connection connection = new Connection(client, () -> {}, url);
        return new EtcdNodes(connection, KEYS, LayoutKey.check(connection, KEYS), 1);
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(Pace.seconds(), TimeUnit.SECONDS);
    }

    private static Node enter(EtcdNodes nodes) throws Exception {
        return get(nodes.enter("x", ID, Resource.WHOLE, details(0)))
                .orElseThrow()
                .own();
    }

    /** It would stand in everybody's way for as long as the client lives. */
    @Test
    void aKeyThatMovesWhileItsClaimIsLeftIsFound() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        try (EtcdServer etcd = EtcdServer.start();
                EtcdNodes nodes = nodes(etcd)) {
            Node own = enter(nodes);
            CompletableFuture<Void> sent = new CompletableFuture<>();
            waits.add(() -> sent);
            CompletableFuture<Optional<Position>> moving =
                    nodes.requeue("x", own, details(0), false).toCompletableFuture();
            waits.add(() -> CompletableFuture.failedFuture(Status.UNAVAILABLE.asRuntimeException()));
            assertThat(nodes.leave("x", ID, null, false).toCompletableFuture()).failsWithin(Pace.patience());
            waits.add(() -> CompletableFuture.completedFuture(null)); // to list what there is
            waits.add(() -> {
                sent.complete(null);
                return moving;
            });
            assertThat(get(nodes.leave("x", ID, null, false))).isTrue();
            assertThat(get(moving)).as("it has moved in between").isPresent();
            assertThat(get(nodes.list("x", true)).nodes()).isEmpty();
        }
    }

    /** Nothing can be written that keeps a late enter out, but none can come either; others wait for the key to go. */
    @Test
    void aKeyIsEndedAlsoWhileEtcdIsFullAndAgainOnceThereIsRoom() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        try (EtcdServer etcd = EtcdServer.start();
                Client client = connect(etcd);
                EtcdNodes nodes = nodes(etcd)) {
            Node own = enter(nodes);
            etcd.setFull(true);
            assertThat(nodes.leave("x", ID, own, true).toCompletableFuture()).failsWithin(Pace.patience());
            assertThat(keys(client)).containsExactly("belay/layout");
            etcd.setFull(false);
            assertThat(get(nodes.leave("x", ID, own, true))).isFalse();
            assertThat(keys(client)).as("with what keeps a late enter out").hasSize(2);
        }
    }

    /** It would stay before those who wait, and who need no room for that, for as long as etcd is full. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aKeyThatYieldsWhileEtcdIsFullMakesWay(boolean unclear) throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        try (EtcdServer etcd = EtcdServer.start();
                Client client = connect(etcd);
                EtcdNodes nodes = nodes(etcd)) {
            Node own = enter(nodes);
            etcd.setFull(true);
            assertThat(get(nodes.requeue("x", own, details(1), unclear))).isEmpty();
            assertThat(keys(client)).containsExactly("belay/layout");
        }
    }

    /** Whoever asks again would only wait for the same answer, and no other claim of that name could be asked for. */
    @Test
    void anEnterIsWaitedForNoLongerThanAnythingElse() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        try (EtcdServer etcd = EtcdServer.start();
                EtcdNodes nodes = nodes(etcd, "5s")) {
            get(nodes.enter("y", ClaimId.of(1, 2), Resource.WHOLE, details(0))); // which writes the layout
            CompletableFuture<Void> late = new CompletableFuture<>();
            waits.add(() -> late);
            assertThat(nodes.enter("x", ID, Resource.WHOLE, details(0)).toCompletableFuture())
                    .failsWithin(Pace.patience())
                    .withThrowableThat()
                    .withMessageContaining("did not answer in time");
            late.complete(null);
            Node own = enter(nodes);
            assertThat(get(nodes.list("x", true)).nodes()).extracting(Node::key).containsExactly(own.key());
        }
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    private static void writeLayout(Client client, String layout) throws Exception {
        get(client.getKVClient().put(KEYS.layout(), bytes(layout)));
    }

    /** Has the key that names the layout name another one, and the client see it. */
    private static void refuse(Client client, EtcdNodes nodes) throws Exception {
        writeLayout(client, "2");
        assertThat(nodes.list("x", true).toCompletableFuture()).failsWithin(Pace.patience());
    }

    private static List<String> keys(Client client) throws Exception {
        GetOption all = GetOption.builder().isPrefix(true).build();
        return get(client.getKVClient().get(bytes("belay/"), all)).getKvs().stream()
                .map(found -> found.getKey().toString(StandardCharsets.UTF_8))
                .toList();
    }

    private static long revision(Client client) throws Exception {
        return get(client.getKVClient().get(bytes("any"))).getHeader().getRevision();
    }

    /** Whoever leaves it may not know its node, as while it moves. */
    @Test
    void aKeyIsEndedAtAnotherLayoutAndNothingElseIsWritten() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        try (EtcdServer etcd = EtcdServer.start();
                Client client = connect(etcd);
                EtcdNodes nodes = nodes(etcd)) {
            enter(nodes);
            refuse(client, nodes);
            assertThat(get(nodes.leave("x", ID, null, true))).isTrue();
            assertThat(keys(client)).containsExactly("belay/layout");
        }
    }

    @Test
    void aClaimThatIsRefusedAtAnotherLayoutIsLeftWithoutAChange() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        try (EtcdServer etcd = EtcdServer.start();
                Client client = connect(etcd);
                EtcdNodes nodes = nodes(etcd)) {
            refuse(client, nodes);
            long before = revision(client);
            assertThat(nodes.enter("x", ID, Resource.WHOLE, details(0)).toCompletableFuture())
                    .failsWithin(Pace.patience());
            assertThat(get(nodes.leave("x", ID, null, true))).isFalse();
            assertThat(revision(client)).isEqualTo(before);
        }
    }

    /** Where its key may be is not known any more; a queue in another layout cannot be read, but for what has this claim's id. */
    @Test
    void aLeaveThatIsSentAgainAtAnotherLayoutFindsItsKey() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        try (EtcdServer etcd = EtcdServer.start();
                Client client = connect(etcd);
                EtcdNodes nodes = nodes(etcd)) {
            enter(nodes);
            waits.add(() -> CompletableFuture.failedFuture(Status.UNAVAILABLE.asRuntimeException()));
            assertThat(nodes.leave("x", ID, null, true).toCompletableFuture()).failsWithin(Pace.patience());
            refuse(client, nodes);
            assertThat(get(nodes.leave("x", ID, null, true))).isTrue();
            writeLayout(client, "1");
            assertThat(get(nodes.list("x", true)).nodes()).isEmpty();
        }
    }

    private static long lease(Client client, Node node) throws Exception {
        return get(client.getKVClient().get(bytes(node.key()))).getKvs().get(0).getLease();
    }

    /** As after a fixed end that was made without an answer: the key is on another lease then, and stays. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aKeyMovesToANewLeaseIfTheOneThatItWasToMoveToHasEnded(boolean unclear) throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        try (EtcdServer etcd = EtcdServer.start();
                Client client = connect(etcd);
                EtcdNodes nodes = nodes(etcd)) {
            Node own = enter(nodes);
            long shared = lease(client, own);
            long other = get(client.getLeaseClient().grant(600)).getID();
            ByteSequence value = Values.of(ID.number(), details(0));
            PutOption onOther = PutOption.builder().withLeaseId(other).build();
            get(client.getKVClient().put(bytes(own.key()), value, onOther));
            get(client.getLeaseClient().revoke(shared));
            assertThat(nodes.requeue("x", own, details(0), unclear).toCompletableFuture())
                    .failsWithin(Pace.patience());
            Node moved = get(nodes.requeue("x", own, details(0), unclear))
                    .orElseThrow()
                    .own();
            assertThat(lease(client, moved)).isNotIn(shared, other);
            assertThat(get(nodes.list("x", true)).nodes()).extracting(Node::key).containsExactly(moved.key());
        }
    }

    /** The holder of a sticky claim keeps it, and each of them would ask for as long as the layout is another. */
    @Test
    void whoWaitsForArrivalsAtAnotherLayoutDoesNotAskAgainAndAgain() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        try (EtcdServer etcd = EtcdServer.start();
                Client client = connect(etcd);
                EtcdNodes nodes = nodes(etcd)) {
            Node own = enter(nodes);
            refuse(client, nodes);
            CompletableFuture<Void> arrived = new CompletableFuture<>();
            nodes.watchArrivals("x", own, 0, () -> arrived.complete(null));
            await().during(Duration.ofMillis(4 * QueueWatch.AGAIN_MILLIS)).until(() -> watches.get() == 1);
            ByteSequence next = bytes(KEYS.claim("x", 2, 0, Resource.WHOLE, 0));
            get(client.getKVClient().put(next, Values.of(1, details(0))));
            assertThat(arrived).succeedsWithin(Pace.patience());
        }
    }

    /** On no lease it would outlive its client. */
    @Test
    void aKeyStaysOnItsLeaseWhereItIsWrittenByWhoDoesNotKnowIt() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        try (EtcdServer etcd = EtcdServer.start();
                Client client = connect(etcd);
                EtcdNodes before = nodes(etcd);
                EtcdNodes restarted = nodes(etcd)) {
            Node own = enter(before);
            long lease = lease(client, own);
            assertThat(lease).isNotZero();
            assertThat(get(restarted.write(own, details(1)))).isPresent();
            assertThat(lease(client, own)).isEqualTo(lease);
            assertThat(get(restarted.write(own, details(2))))
                    .as("written over a later version")
                    .isEmpty();
        }
    }

    /** Keys are used again: who took their former ends for that of the claim before its own would hold beside it. */
    @Test
    void aKeyIsNotTakenForGoneBecauseItsFormerOneWasAtAMemberThatLags() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        try (EtcdServer etcd = EtcdServer.start();
                EtcdNodes nodes = nodes(etcd)) {
            Node former = enter(nodes);
            get(nodes.leave("x", ID, former, false));
            Node own = enter(nodes);
            assertThat(own.key()).isEqualTo(former.key());
            lag = former.version() - 1;
            CompletableFuture<Optional<Node>> told = new CompletableFuture<>();
            nodes.watch(own, List.of(), told::complete);
            await().until(() -> learnt.contains(own.version()));
            assertThat(told).isNotDone();
            get(nodes.leave("x", ID, own, false));
            assertThat(told.get(Pace.seconds(), TimeUnit.SECONDS)).isEmpty();
        }
    }
}
