package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.belay.node.Details;
import io.belay.node.Position;
import io.belay.servers.EtcdServer;
import io.belay.servers.Pace;
import io.belay.spi.ClaimId;
import io.belay.spi.Owner;
import io.belay.spi.Resource;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.Txn;
import io.grpc.Status;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A leave that comes while its enter still waits for a lease, at a real etcd to which some requests do not come. */
@Tag("consensus")
class EarlyLeaveTest {
    private static final ClaimId ID = ClaimId.of(1, 1);

    private static final long SECONDS = 30;
    private static final Details DETAILS = new Details(
            Resource.WHOLE, 0, false, false, SECONDS * 1_000_000, 0, 0, 0, Owner.of("client", "host", 1, "thread"));

    private final CompletableFuture<Object> granted = new CompletableFuture<>();
    private volatile boolean refused;

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** A client whose lease for claims is granted late, and whose transactions fail at once when the test says so. */
    private Client client(Client real) {
        Lease lease = proxy(
                Lease.class,
                (self, method, arguments) -> method.getName().equals("grant") && arguments[0].equals(SECONDS)
                        ? granted.thenCompose(now -> real.getLeaseClient().grant(SECONDS))
                        : method.invoke(real.getLeaseClient(), arguments));
        Txn failing = proxy(
                Txn.class,
                (self, method, arguments) -> method.getName().equals("commit")
                        ? CompletableFuture.failedFuture(Status.UNAVAILABLE.asRuntimeException())
                        : self);
        KV kv = proxy(
                KV.class,
                (self, method, arguments) -> refused && method.getName().equals("txn")
                        ? failing
                        : method.invoke(real.getKVClient(), arguments));
        return proxy(Client.class, (self, method, arguments) -> switch (method.getName()) {
            case "getLeaseClient" -> lease;
            case "getKVClient" -> kv;
            default -> method.invoke(real, arguments);
        });
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(Pace.seconds(), TimeUnit.SECONDS);
    }

    private static void writeLayout(Client client, String layout) throws Exception {
        ByteSequence value = ByteSequence.from(layout, StandardCharsets.UTF_8);
        get(client.getKVClient().put(new Keys("belay/").layout(), value));
    }

    /** Its key comes all the same, and would stand in everybody's way for as long as the client lives. */
    @Test
    void itIsNotDoneIfItFails() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        try (EtcdServer etcd = EtcdServer.start()) {
            EtcdUrl url = EtcdUrl.parse("etcd://127.0.0.1:" + etcd.port() + "?timeout=60s");
            Client real = Client.builder()
                    .endpoints("http://127.0.0.1:" + etcd.port())
                    .build();
            writeLayout(real, "1"); // so that the enter waits for its lease alone
            Connection connection = new Connection(client(real), () -> {}, url);
            Keys keys = new Keys("belay/");
            try (EtcdNodes nodes = new EtcdNodes(connection, keys, LayoutKey.check(connection, keys), 1)) {
                CompletionStage<Optional<Position>> entering = nodes.enter("x", ID, Resource.WHOLE, DETAILS);
                refused = true;
                assertThat(nodes.leave("x", ID, null, true).toCompletableFuture())
                        .failsWithin(Pace.patience());
                refused = false;
                assertThat(get(nodes.leave("x", ID, null, true))).isFalse();
                granted.complete(true);
                assertThat(get(entering)).as("it comes too late").isEmpty();
                assertThat(get(nodes.list("x", true)).nodes()).isEmpty();
            }
        }
    }

    /** Nothing is written at another layout, so that nothing would keep it out once that has gone. */
    @Test
    void itIsDoneWhileTheLayoutIsAnother() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        try (EtcdServer etcd = EtcdServer.start()) {
            EtcdUrl url = EtcdUrl.parse("etcd://127.0.0.1:" + etcd.port() + "?timeout=60s");
            Client real = Client.builder()
                    .endpoints("http://127.0.0.1:" + etcd.port())
                    .build();
            writeLayout(real, "1");
            Connection connection = new Connection(client(real), () -> {}, url);
            Keys keys = new Keys("belay/");
            try (EtcdNodes nodes = new EtcdNodes(connection, keys, LayoutKey.check(connection, keys), 1)) {
                CompletionStage<Optional<Position>> entering = nodes.enter("x", ID, Resource.WHOLE, DETAILS);
                writeLayout(real, "2");
                assertThat(nodes.list("x", true).toCompletableFuture()).failsWithin(Pace.patience());
                assertThat(get(nodes.leave("x", ID, null, true))).isFalse();
                writeLayout(real, "1");
                granted.complete(true);
                assertThat(get(entering)).as("it comes too late").isEmpty();
                assertThat(get(nodes.list("x", true)).nodes()).isEmpty();
            }
        }
    }
}
