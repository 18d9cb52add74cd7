package io.belay.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import io.belay.Belay;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.document.Documents;
import io.belay.servers.MongoServer;
import io.belay.servers.Pace;
import io.belay.servers.TcpProxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("drivers")
class ChangeBellTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private static MongoServer server;

    private final String own =
            "belay-collection=t" + UUID.randomUUID().toString().replace("-", "");

    @BeforeAll
    static void start() throws Exception {
        server = MongoServer.start();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    static class Heard implements Documents.Bell {
        final List<String> resources = new CopyOnWriteArrayList<>();
        final AtomicInteger missed = new AtomicInteger();

        @Override
        public void rang(String resource) {
            resources.add(resource);
        }

        @Override
        public void missed() {
            missed.incrementAndGet();
        }
    }

    private MongoDocuments documents(String url) {
        return MongoDocuments.prepare(Connections.of(MongoUrl.parse(MongoSpec.with(url, own))));
    }

    private static String patient(String url) {
        return MongoSpec.with(url, "belay-timeout=1m");
    }

    /** The premise: so short a time is enough to connect, or it begins again. */
    private MongoDocuments inTime(String url) {
        return await().ignoreExceptionsInstanceOf(MongoTimeoutException.class)
                .until(() -> documents(url), Objects::nonNull);
    }

    /** As in a process at its limit of threads, which tries again and again to connect. */
    @Test
    void aBellForWhichThereIsNoThreadLeavesNothingOpen() {
        List<String> commands = new CopyOnWriteArrayList<>();
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.url()))
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                        commands.add(event.getCommandName());
                    }
                })
                .build();
        try (MongoClient client = MongoClients.create(settings);
                Connections source = Connections.of(
                        client, "belay", Settings.DEFAULT.with("timeout", "1m").with("collection", "threadless"));
                MongoDocuments documents = MongoDocuments.prepare(source)) {
            assertThat(documents.isFar()).isTrue();
            ChangeBell bell = new ChangeBell(source, 1, new Heard(), work -> new Thread(work) {
                @Override
                public void start() {
                    throw new OutOfMemoryError("unable to create native thread, says the test");
                }
            });
            commands.clear();
            assertThatThrownBy(bell::start).isInstanceOf(OutOfMemoryError.class);
            assertThat(commands).containsExactly("aggregate", "killCursors");
        }
    }

    @Test
    void aClientHearsItsOwnCallsAndThenNothingMore() {
        Heard heard = new Heard();
        try (MongoDocuments documents = documents(patient(server.url()))) {
            assertThat(documents.listen(7, heard)).isTrue();
            MongoSession session = documents.connect();
            session.read(List.of());
            session.ring(List.of(new Documents.Call(8, "others"), new Documents.Call(7, "mine")));
            session.ring(List.of(new Documents.Call(7, "mine again")));
            await().untilAsserted(() -> assertThat(heard.resources).containsExactly("mine", "mine again"));
        }
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("belay-mongodb-listen")));
        assertThat(heard.missed).hasValue(0);
    }

    /** A client may be opened for a request, and listens as long as it lives. */
    @Test
    void whoListensHasNothingOfWhoConnectsButTheClassLoader() {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        ClassLoader callers = new URLClassLoader(new URL[0], before);
        Heard heard = new Heard() {
            @Override
            public void rang(String resource) {
                super.rang(tenant.get() + " " + (Thread.currentThread().getContextClassLoader() == callers));
            }
        };
        tenant.set("a tenant's");
        Thread.currentThread().setContextClassLoader(callers);
        try (MongoDocuments documents = documents(patient(server.url()))) {
            assertThat(documents.listen(7, heard)).isTrue();
            MongoSession session = documents.connect();
            session.read(List.of());
            session.ring(List.of(new Documents.Call(7, "x")));
            await().untilAsserted(() -> assertThat(heard.resources).containsExactly("null true"));
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** A change stream takes no other than "majority". */
    @Test
    void theReadConcernOfTheUrlIsNotTheStreams() {
        String url = MongoSpec.with(patient(server.url()), "readConcernLevel=local");
        try (MongoDocuments documents = documents(url)) {
            assertThat(documents.listen(7, new Heard())).isTrue();
        }
    }

    @Test
    void anErrorEndsOneCallAlone() {
        Heard heard = new Heard() {
            @Override
            public void rang(String resource) {
                if (resource.equals("first")) {
                    throw new StackOverflowError("said by the test");
                }
                super.rang(resource);
            }
        };
        try (MongoDocuments documents = documents(patient(server.url()))) {
            assertThat(documents.listen(7, heard)).isTrue();
            MongoSession session = documents.connect();
            session.read(List.of());
            session.ring(List.of(new Documents.Call(7, "first")));
            await().until(() -> heard.missed.get() > 0);
            session.ring(List.of(new Documents.Call(7, "second")));
            await().untilAsserted(() -> assertThat(heard.resources).containsExactly("second"));
        }
    }

    /** One that does not listen cannot know who does. */
    @Test
    void whoDoesNotListenCallsAllTheSame() {
        Heard heard = new Heard();
        try (MongoDocuments listens = documents(patient(server.url()));
                MongoDocuments does = documents(MongoSpec.with(patient(server.url()), "belay-watch=false"))) {
            assertThat(listens.listen(7, heard)).isTrue();
            assertThat(does.listen(8, new Heard())).isFalse();
            MongoSession session = does.connect();
            session.read(List.of());
            session.ring(List.of(new Documents.Call(7, "x")));
            await().untilAsserted(() -> assertThat(heard.resources).containsExactly("x"));
        }
    }

    @Test
    @Tag("long")
    void afterABrokenConnectionItIsToldThatCallsMayHaveBeenMissed() throws Exception {
        assumeTrue(server.canBeKilled(), "a server that is not ours may be known under one name only");
        Heard heard = new Heard();
        try (TcpProxy proxy = TcpProxy.to(server);
                MongoDocuments documents = inTime("mongodb://127.0.0.1:" + proxy.port() + "/?belay-timeout=2s");
                MongoDocuments other = documents(patient(server.url()))) {
            assertThat(documents.listen(7, heard)).isTrue();
            proxy.cut();
            // As long as this takes, the stream tries to go on, and gives up: each of these waits for the whole
            // time-out.
            for (int waited = 0; waited < 3; ) {
                Throwable failure = catchThrowable(() -> documents.connect().read(List.of()));
                assertThat(failure).isNotNull();
                waited += failure.getCause() instanceof MongoTimeoutException ? 1 : 0;
            }
            proxy.pass();
            await().until(() -> heard.missed.get() > 0);
            MongoSession session = other.connect();
            session.read(List.of());
            session.ring(List.of(new Documents.Call(7, "x")));
            await().untilAsserted(() -> assertThat(heard.resources).containsExactly("x"));
        }
    }

    /** Nobody looks by itself before a third of so long a lease is over. */
    @Test
    void hasTheLockHandedOver() throws Exception {
        LockOptions options = LockOptions.defaults().withLease(Duration.ofMinutes(10));
        String url = MongoSpec.with(patient(server.url()), own);
        try (Belay a = Belay.connect(url);
                Belay b = Belay.connect(url)) {
            Lease held = a.lock("x", options).acquire();
            int handedOver = 0;
            for (int i = 0; handedOver < 10; i++) {
                assertThat(i).as("turns, of which %d handed over", handedOver).isLessThan(50);
                CompletableFuture<Lease> next =
                        (i % 2 == 0 ? b : a).lock("x", options).acquireAsync();
                Lease last = held;
                // Where the machine stands still a grant is picked up too late, and has ended by itself.
                await().until(() -> a.admin().inspect("x").claims().size() == 2 || !last.isHeld());
                handedOver += last.isHeld() ? 1 : 0;
                last.release();
                held = next.get(Pace.seconds(), TimeUnit.SECONDS);
            }
            held.release();
        }
    }
}
