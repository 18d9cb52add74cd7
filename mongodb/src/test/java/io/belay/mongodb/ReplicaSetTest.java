package io.belay.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import io.belay.document.Documents;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is asked of a replica set, and of a server alone that becomes one, as the doctor advises, while clients are connected. */
class ReplicaSetTest {
    private final Server backend = new Server();
    private final MongoServer server = new MongoServer(backend);
    private String url;

    /** A server alone, which says on demand that it is a replica set's member, and notes how it is asked. */
    private static final class Server extends MemoryBackend {
        private final List<String> readConcerns = new CopyOnWriteArrayList<>();
        private final List<String> commands = new CopyOnWriteArrayList<>();
        private final AtomicInteger streams = new AtomicInteger();
        private volatile List<String> members = List.of();
        private volatile String primary = "";
        private volatile Runnable beforeMore = () -> {};

        @Override
        public Document handleMessage(MongoMessage message) {
            Document asked = message.getDocument();
            String command = asked.keySet().iterator().next();
            commands.add(command);
            if (command.equals("getMore")) {
                beforeMore.run();
            }
            if (command.equals("aggregate") || command.equals("find")) {
                readConcerns.add(
                        asked.get("readConcern") instanceof Document concern ? "" + concern.get("level") : "none");
            }
            boolean stream = String.valueOf(asked.get("pipeline")).contains("$changeStream");
            if (stream && members.isEmpty()) {
                throw new MongoServerError(40_573, "Location40573", "$changeStream is supported on replica sets only");
            }
            streams.addAndGet(stream ? 1 : 0);
            return super.handleMessage(message);
        }

        @Override
        public Document handleCommand(Channel channel, String database, String command, Document query) {
            Document answer = super.handleCommand(channel, database, command, query);
            if (members.isEmpty() || !answer.containsKey("ismaster")) {
                return answer;
            }
            String self = address(channel.localAddress());
            boolean leads = self.equals(primary);
            return answer.append("setName", "r")
                    .append("hosts", members)
                    .append("me", self)
                    .append("ismaster", leads)
                    .append("secondary", !leads);
        }
    }

    @BeforeEach
    void start() {
        server.bind();
        url = server.getConnectionString() + "/?heartbeatFrequencyMS=500&belay-timeout=1m";
    }

    @AfterEach
    void end() {
        server.shutdownNow();
    }

    private void initiate() {
        String member = address(server.getLocalAddress());
        elect(member, List.of(member), backend);
    }

    private static void elect(String primary, List<String> members, Server... all) {
        for (Server each : all) {
            each.primary = primary;
            each.members = members;
        }
    }

    private static String address(SocketAddress of) {
        InetSocketAddress address = (InetSocketAddress) of;
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    private MongoDocuments documents() {
        return MongoDocuments.prepare(Connections.of(MongoUrl.parse(url)));
    }

    @Test
    void isReadInAWayThatTellsWhatNobodyTakesBack() {
        initiate();
        try (MongoDocuments documents = documents()) {
            MongoSession session = documents.connect();
            session.read(List.of("x"));
            session.names("", "");
            session.made(List.of(new Documents.Change("x", 1, 2, new byte[0], 0)));
        }
        assertThat(backend.readConcerns).hasSizeGreaterThan(3).containsOnly("linearizable");
    }

    @Test
    void thatWasAServerAloneIsReadSoFromThenOnAndItsClientsAreCalled() {
        try (MongoDocuments documents = documents()) {
            assertThat(documents.listen(7, new ChangeBellTest.Heard())).isFalse();
            MongoSession session = documents.connect();
            session.read(List.of("x"));
            backend.commands.clear();
            session.ring(List.of(new Documents.Call(8, "x")));
            assertThat(backend.commands).doesNotContain("insert");
            assertThat(backend.readConcerns).isNotEmpty().containsOnly("none");
            initiate();
            await().until(() -> {
                session.read(List.of("x"));
                return backend.readConcerns.contains("linearizable");
            });
            backend.readConcerns.clear();
            session.read(List.of("x"));
            session.ring(List.of(new Documents.Call(8, "x")));
            assertThat(backend.readConcerns).containsExactly("linearizable");
            assertThat(backend.commands).contains("insert");
        }
    }

    /** It may be cut off from the others and not from the clients, and then has nothing to tell, and no error. */
    @Test
    void isListenedToAtItsNewPrimaryThoughTheFormerOneGoesOnToAnswer() {
        Server other = new Server();
        MongoServer second = new MongoServer(other);
        ChangeBellTest.Heard heard = new ChangeBellTest.Heard();
        try {
            server.enableOplog(); // change streams read it
            second.enableOplog();
            second.bind();
            List<String> members = List.of(address(server.getLocalAddress()), address(second.getLocalAddress()));
            elect(members.get(0), members, backend, other);
            url += "&replicaSet=r"; // else the driver stays at the one server that is named
            try (MongoDocuments documents = documents()) {
                assertThat(documents.listen(7, heard)).isTrue();
                assertThat(backend.streams).hasValue(1);
                elect(members.get(1), members, backend, other);
                await().untilAsserted(() -> assertThat(other.streams).hasPositiveValue());
                await().untilAsserted(() -> assertThat(heard.missed).hasPositiveValue());
                MongoSession session = documents.connect();
                session.read(List.of("x"));
                await().until(() -> {
                    session.ring(List.of(new Documents.Call(7, "x")));
                    return heard.resources.contains("x");
                });
            }
        } finally {
            second.shutdownNow();
        }
    }

    /** It would keep the stream for minutes. What it answers only after a moment is waited for, as an interrupt does not end that. */
    @Test
    void isToldThatAClientDoesNotListenAnyMore() {
        server.enableOplog();
        initiate();
        List<Thread> listening = new CopyOnWriteArrayList<>();
        try (Connections source = Connections.of(MongoUrl.parse(url))) {
            ChangeBell bell = new ChangeBell(source, 7, new ChangeBellTest.Heard(), work -> {
                listening.add(new Thread(work));
                return listening.get(0);
            });
            backend.beforeMore = () -> await().until(() -> listening.get(0).isInterrupted());
            assertThat(bell.start()).isTrue();
            await().until(() -> backend.commands.contains("getMore"));
            long begin = System.nanoTime();
            bell.close();
            boolean late = System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(1); // as long as a close waits
            assertThat(late || backend.commands.contains("killCursors")).isTrue();
            await().until(() -> backend.commands.contains("killCursors"));
        }
    }
}
