package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.ReleaseOutcome;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.TcpProxy;
import io.belay.servers.ZooKeeperServer;
import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of a request that was done and not answered. */
@Tag("consensus")
@Tag("long")
class LostAnswerTest {
    private static final ClaimId ID = ClaimId.of(1, 1);
    private static final long LEASE = 4_000_000;

    private ZooKeeperServer server;
    private TcpProxy proxy;

    @BeforeEach
    void start() throws Exception {
        server = ZooKeeperServer.start();
        proxy = TcpProxy.to(server);
    }

    @AfterEach
    void stop() {
        proxy.close();
        server.close();
    }

    private Store open(Duration session) {
        return open(session, new Deaf());
    }

    private Store open(Duration session, Store.Listener listener) {
        String url = proxy.url() + "?session-timeout=" + session.toSeconds() + "s";
        return new ZooKeeperStoreProvider().open(url, 1, listener);
    }

    private static final class Deaf implements Store.Listener {
        @Override
        public void pushed(Push push) {}

        @Override
        public void reconnected() {}
    }

    /** Hears each time that the client is connected, and that its session is over. */
    private static final class Connections implements Store.Listener {
        private final Semaphore news = new Semaphore(0);

        @Override
        public void pushed(Push push) {}

        @Override
        public void reconnected() {
            news.release();
        }

        void awaitNews() throws InterruptedException {
            assertThat(news.tryAcquire(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    private static Request.Enter enter() {
        return enter("x", ID);
    }

    private static Request.Enter enter(String name, ClaimId id) {
        return Request.Enter.of(name, id, ClaimSpec.whole(LEASE), 0, Owner.of("client", "host", 1, "thread"));
    }

    private static Answer get(CompletionStage<Answer> answer) throws Exception {
        return answer.toCompletableFuture().get(Pace.seconds(), TimeUnit.SECONDS);
    }

    /** Sends a request again, as an engine does, until it is answered. */
    private static Answer persistently(Store store, Request request) {
        return await().atMost(Pace.patience())
                .ignoreExceptions()
                .until(() -> get(store.send(request)), Objects::nonNull);
    }

    private static int claims(Belay belay) {
        return belay.admin().inspect("x").claims().size();
    }

    /** Makes the claim's node, whose session is over for the client alone when the server is started again. */
    private void strand(Store store, Duration session) throws Exception {
        Request.Enter before = enter("y", ClaimId.of(1, 2));
        persistently(store, before);
        persistently(store, Request.Leave.of("y", before.id(), false));
        CompletionStage<Answer> entered;
        try (Belay belay = Belay.connect(server.url())) {
            belay.lock("x").acquire().close(); // so that to enter is one request
            proxy.silenceReplies();
            entered = store.send(enter());
            await().until(() -> claims(belay) == 1);
        }
        server.kill();
        proxy.cut();
        long cut = System.nanoTime();
        await().until(() -> System.nanoTime() - cut > session.plusSeconds(3).toNanos());
        assertThat(entered.toCompletableFuture()).isCompletedExceptionally();
        proxy.pass();
    }

    /** Its first node stands until the servers notice that its session is over, and would let the second one in. */
    @Test
    void whoeverEntersOnceMoreInAnotherSessionPassesNobody() throws Exception {
        Premise.withLease(Duration.ofSeconds(12), this::enterOnceMore);
    }

    private void enterOnceMore(Duration session) throws Exception {
        try (Store store = open(session)) {
            strand(store, session);
            server.restart();
            try (Belay belay = Belay.connect(server.url())) {
                CompletableFuture<Lease> waiting = belay.lock("x").acquireAsync();
                await().until(() -> waiting.isDone() || claims(belay) == 2);
                Premise.check(!waiting.isDone(), "a session lasts until another client has queued up");
                assertThat(persistently(store, enter()).state()).isEqualTo(State.WAITING);
                Lease next = waiting.get(Pace.seconds(), TimeUnit.SECONDS);
                assertThat(claims(belay)).isEqualTo(2);
                assertThat(next.release()).isEqualTo(ReleaseOutcome.RELEASED);
                await().until(() -> persistently(store, enter()).state() == State.GRANTED);
                assertThat(claims(belay)).isEqualTo(1);
            }
        }
    }

    /** The new session's first connection breaks before the server hears what is to be deleted. */
    @Test
    void whatTheLastSessionLeftIsDeletedByTheNextConnectionIfNotByThisOne() throws Exception {
        Premise.withLease(Duration.ofSeconds(6), this::deleteLater);
    }

    private void deleteLater(Duration session) throws Exception {
        Connections connections = new Connections();
        try (Store store = open(session, connections)) {
            connections.awaitNews();
            assertThat(persistently(store, enter()).state()).isEqualTo(State.GRANTED);
            server.kill();
            proxy.cut();
            connections.awaitNews(); // the session is over for the client alone
            proxy.pass();
            proxy.drop(sessionBegins -> {
                proxy.silenceRequests();
                return false;
            });
            server.restart();
            connections.awaitNews();
            try (Belay belay = Belay.connect(server.url())) {
                Premise.check(claims(belay) == 1, "a session lasts until somebody looks");
                proxy.cut();
                proxy.pass();
                connections.awaitNews();
                // ZooKeeper runs what a session asks in its order.
                store.inspect("x").toCompletableFuture().get(Pace.seconds(), TimeUnit.SECONDS);
                assertThat(claims(belay)).isZero();
            }
        }
    }

    @Test
    void whoeverLeavesInAnotherSessionLeavesNothing() throws Exception {
        Premise.withLease(Duration.ofSeconds(12), this::leaveLater);
    }

    private void leaveLater(Duration session) throws Exception {
        try (Store store = open(session)) {
            strand(store, session);
            Request leave = Request.Leave.of("x", ID, true);
            assertThat(store.send(leave).toCompletableFuture())
                    .as("it is to be asked for again")
                    .failsWithin(Pace.patience());
            server.restart();
            try (Belay belay = Belay.connect(server.url())) {
                Premise.check(claims(belay) == 1, "a session lasts until somebody looks");
                persistently(store, leave);
                assertThat(claims(belay)).isZero();
            }
        }
    }

    /** The place of the claim's node is found out again: else the next one counts as that of a claim that was left. */
    @Test
    void aYieldThatIsSentAgainKeepsTheClaimForTheNextOne() throws Exception {
        try (Store store = open(Duration.ofSeconds(40));
                Belay belay = Belay.connect(server.url())) {
            long entered = persistently(store, enter()).sequence();
            proxy.loseNextReply();
            Request yield = Request.Yield.of("x", ID, entered, LEASE, 0);
            assertThat(store.send(yield).toCompletableFuture()).failsWithin(Pace.patience());
            Answer yielded = persistently(store, yield);
            assertThat(yielded.state()).isEqualTo(State.GRANTED);
            assertThat(yielded.sequence()).isGreaterThan(entered);
            Answer next = get(store.send(Request.Yield.of("x", ID, yielded.sequence(), LEASE, 0)));
            assertThat(next.state()).isEqualTo(State.GRANTED);
            assertThat(next.sequence()).isGreaterThan(yielded.sequence());
            assertThat(claims(belay)).isEqualTo(1);
            assertThat(get(store.send(Request.Leave.of("x", ID, false))).state())
                    .isEqualTo(State.LEFT);
            assertThat(claims(belay)).isZero();
        }
    }

    /** ZooKeeper's client hangs up where it is too long. */
    @Test
    void theNamesMayHaveBeenTooLongForThisClient() throws Exception {
        try (Store store = open(Duration.ofSeconds(40))) {
            persistently(store, enter());
            proxy.loseNextReply();
            assertThat(store.names("", "").toCompletableFuture())
                    .failsWithin(Pace.patience())
                    .withThrowableThat()
                    .withMessageContaining("raise jute.maxbuffer");
        }
    }
}
