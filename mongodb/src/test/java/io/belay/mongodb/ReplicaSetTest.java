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
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is asked of a replica set, and of a server alone that becomes one, as the doctor advises, while clients are connected. */
class ReplicaSetTest {
    private final Server backend = new Server();
    private final MongoServer server = new MongoServer(backend);
    private String url;

    /** A server alone, which says on demand that it is a replica set's primary, and notes how it is asked. */
    private static final class Server extends MemoryBackend {
        private final List<String> readConcerns = new CopyOnWriteArrayList<>();
        private final List<String> commands = new CopyOnWriteArrayList<>();
        private volatile @Nullable String member;

        @Override
        public Document handleMessage(MongoMessage message) {
            Document asked = message.getDocument();
            String command = asked.keySet().iterator().next();
            commands.add(command);
            if (command.equals("aggregate") || command.equals("find")) {
                readConcerns.add(
                        asked.get("readConcern") instanceof Document concern ? "" + concern.get("level") : "none");
            }
            if (String.valueOf(asked.get("pipeline")).contains("$changeStream")) {
                throw new MongoServerError(40_573, "Location40573", "$changeStream is supported on replica sets only");
            }
            return super.handleMessage(message);
        }

        @Override
        public Document handleCommand(Channel channel, String database, String command, Document query) {
            Document answer = super.handleCommand(channel, database, command, query);
            return member != null && answer.containsKey("ismaster")
                    ? answer.append("setName", "r")
                            .append("hosts", List.of(member))
                            .append("me", member)
                    : answer;
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
        backend.member = server.getConnectionString().substring("mongodb://".length());
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
            assertThat(documents.listen(7, new Unheard())).isFalse();
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

    private static final class Unheard implements Documents.Bell {
        @Override
        public void rang(String resource) {}

        @Override
        public void missed() {}
    }
}
