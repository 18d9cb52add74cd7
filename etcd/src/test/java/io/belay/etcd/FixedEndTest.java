package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.belay.servers.ChildJvm;
import io.belay.servers.EtcdServer;
import io.belay.servers.Pace;
import io.belay.servers.TcpProxy;
import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.lease.LeaseTimeToLiveResponse;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.LeaseOption;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The ends of claims that were fixed, at a real etcd: who moves them, and whom they outlive. */
@Tag("consensus")
@Tag("long")
class FixedEndTest {
    private static final String NAME = "x";
    private static final long LEASE = 60_000_000;
    private static final Owner OWNER = Owner.of("c", "h", 1, "t");

    private EtcdServer etcd;
    private Client client;

    @BeforeEach
    void start() throws Exception {
        assumeThat(EtcdServer.isInstalled()).as("etcd is installed").isTrue();
        etcd = EtcdServer.start();
        client = Client.builder().endpoints("http://127.0.0.1:" + etcd.port()).build();
    }

    @AfterEach
    void end() {
        client.close();
        etcd.close();
    }

    /** A client of the store that holds the lock, or waits for it. */
    private static final class User implements Store.Listener, AutoCloseable {
        private final Store store;
        private final ClaimId id;
        private long sequence;

        User(String url, long number) {
            store = new EtcdStoreProvider().open(url, number, this);
            id = ClaimId.of(number, 1);
        }

        private Answer send(Request request) {
            return store.send(request).toCompletableFuture().join();
        }

        State enter(long lease) {
            Answer entered = send(Request.Enter.of(NAME, id, ClaimSpec.whole(lease), 0, OWNER));
            sequence = entered.sequence();
            return entered.state();
        }

        Answer fix(int reweights, long lease) {
            return send(Request.Fix.of(NAME, id, sequence, reweights, lease));
        }

        State renew() {
            return send(Request.Renew.of(NAME, id, sequence, LEASE, 0, false)).state();
        }

        @Override
        public void pushed(Push push) {}

        @Override
        public void reconnected() {}

        @Override
        public void close() {
            store.close();
        }
    }

    private String url() {
        return "etcd://127.0.0.1:" + etcd.port();
    }

    private User user(long number) {
        return new User(url(), number);
    }

    /** The first key of the lock's claims. */
    private KeyValue key() throws Exception {
        GetOption first = GetOption.builder()
                .isPrefix(true)
                .withSortField(GetOption.SortTarget.CREATE)
                .build();
        return client.getKVClient()
                .get(new Keys("belay/").claims(NAME), first)
                .get(Pace.seconds(), TimeUnit.SECONDS)
                .getKvs()
                .get(0);
    }

    private LeaseTimeToLiveResponse lease(long number) throws Exception {
        LeaseOption withKeys = LeaseOption.builder().withAttachedKeys().build();
        return client.getLeaseClient().timeToLive(number, withKeys).get(Pace.seconds(), TimeUnit.SECONDS);
    }

    private List<ByteSequence> keysOf(long lease) throws Exception {
        return lease(lease).getKeys();
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    @Test
    void theKeyMovesToALeaseOfThatLengthAndTheOneBeforeIsRevoked() throws Exception {
        try (User holder = user(1)) {
            assertThat(holder.enter(LEASE)).isEqualTo(State.GRANTED);
            long shared = key().getLease();
            assertThat(holder.fix(0, 600_000_000).reweights()).isOne();
            long later = key().getLease();
            assertThat(lease(later).getGrantedTTL()).isEqualTo(600);
            assertThat(keysOf(later)).hasSize(1);
            assertThat(keysOf(shared)).isEmpty();
            assertThat(lease(shared).getGrantedTTL()).as("others may have it").isEqualTo(60);

            assertThat(holder.fix(1, 99_000_001).reweights()).isEqualTo(2);
            long earlier = key().getLease();
            assertThat(lease(earlier).getGrantedTTL()).as("rounded up").isEqualTo(100);
            await().until(() -> lease(later).getTTL() < 0);
            assertThat(holder.fix(0, 600_000_000).reweights())
                    .as("an older copy")
                    .isEqualTo(2);
            assertThat(key().getLease()).isEqualTo(earlier);

            holder.send(Request.Describe.of(NAME, holder.id, holder.sequence, OWNER.withThread("next", "")));
            assertThat(key().getLease()).as("a write leaves it there").isEqualTo(earlier);
            assertThat(Values.details(key().getValue()).reweights()).isEqualTo(2);
            assertThat(holder.send(Request.Leave.of(NAME, holder.id, false)).state())
                    .isEqualTo(State.LEFT);
            await().until(() -> lease(earlier).getTTL() < 0);
        }
    }

    @Test
    void aWaiterHasItAfterTheEndAndNotBeforeThoughItsHolderIsClosed() {
        try (User waiter = user(2)) {
            long asked;
            try (User holder = user(1)) {
                assertThat(holder.enter(LEASE)).isEqualTo(State.GRANTED);
                assertThat(waiter.enter(LEASE)).isEqualTo(State.WAITING);
                asked = System.nanoTime();
                assertThat(holder.fix(0, 3_500_000).reweights()).isOne();
            }
            await().until(() -> waiter.renew() == State.GRANTED);
            assertThat(since(asked)).isGreaterThanOrEqualTo(Duration.ofMillis(3_500));
        }
    }

    /** Its client's own lease, of two seconds, would be over long before. */
    @Test
    void itOutlivesAProcessThatIsKilled() throws Exception {
        try (User waiter = user(2);
                ChildJvm child = ChildJvm.start(FixedEndTest.class, url())) {
            assertThat(child.ask("enter")).isEqualTo("GRANTED");
            assertThat(waiter.enter(LEASE)).isEqualTo(State.WAITING);
            long asked = System.nanoTime();
            assertThat(child.ask("fix")).isEqualTo("1");
            child.kill();
            await().until(() -> waiter.renew() == State.GRANTED);
            assertThat(since(asked)).isGreaterThanOrEqualTo(Duration.ofSeconds(7));
        }
    }

    /** The process that is killed: it holds the lock, and fixes its end when it is told to. */
    public static void main(String[] arguments) throws IOException {
        BufferedReader told = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (User holder = new User(arguments[0], 1)) {
            for (String line = told.readLine(); line != null; line = told.readLine()) {
                System.out.println(
                        line.equals("enter")
                                ? holder.enter(2_000_000)
                                : holder.fix(0, 7_000_000).reweights());
            }
        }
    }

    @Test
    void aRestartedClientIsShownWhatIsThereAndChangesNothing() throws Exception {
        User holder = user(1);
        assertThat(holder.enter(LEASE)).isEqualTo(State.GRANTED);
        assertThat(holder.fix(0, 600_000_000).reweights()).isOne();
        long lease = key().getLease();
        holder.close();
        try (User again = user(1)) {
            again.sequence = holder.sequence;
            Answer answer = again.fix(1, 5_000_000);
            assertThat(answer.state()).isEqualTo(State.GRANTED);
            assertThat(answer.reweights()).isOne();
            assertThat(key().getLease()).isEqualTo(lease);
            assertThat(lease(lease).getGrantedTTL()).isEqualTo(600);
        }
    }

    /** Whichever of its requests came through: asked again, the end is there and moves no more. */
    @Test
    void aRequestThatWasNotAnsweredIsMadeUpFor() throws Exception {
        try (TcpProxy slow = TcpProxy.to(etcd);
                User holder = new User(slow.url() + "?timeout=2s", 1)) {
            await().ignoreExceptions().until(() -> holder.enter(LEASE) == State.GRANTED);
            long shared = key().getLease();
            slow.silenceReplies();
            assertThat(holder.store.send(Request.Fix.of(NAME, holder.id, holder.sequence, 0, 600_000_000)))
                    .failsWithin(Pace.patience());
            slow.pass();
            AtomicLong made = new AtomicLong();
            await().ignoreExceptions().until(() -> {
                made.set(holder.fix(0, 600_000_000).reweights());
                return made.get() == 1;
            });
            long fixed = key().getLease();
            assertThat(fixed).isNotEqualTo(shared);
            assertThat(lease(fixed).getGrantedTTL()).isEqualTo(600);
            await().ignoreExceptions()
                    .untilAsserted(() ->
                            assertThat(holder.fix(0, 600_000_000).reweights()).isOne());
            assertThat(key().getLease()).isEqualTo(fixed);
        }
    }
}
