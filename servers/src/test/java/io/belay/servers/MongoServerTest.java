package io.belay.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadConcern;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("selftest")
@Tag("long")
class MongoServerTest {
    private static MongoServer server;

    private final String database = "test-" + UUID.randomUUID();

    @BeforeAll
    static void start() throws Exception {
        server = MongoServer.start();
    }

    @AfterAll
    static void close() {
        server.close();
        assertThat(server.directory).doesNotExist();
    }

    @Test
    void whoWatchesSeesWhatIsWritten() {
        try (MongoClient client = MongoClients.create(server.url())) {
            MongoCollection<Document> locks = client.getDatabase(database).getCollection("locks");
            try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> changes =
                    locks.watch().cursor()) {
                locks.insertOne(new Document("_id", "a"));
                assertThat(changes.next().getFullDocument()).containsEntry("_id", "a");
            }
            client.getDatabase(database).drop();
        }
    }

    @Test
    void readConcernsAreRefusedAsByARealServerAlone() {
        assumeTrue(server.canBeKilled(), "one that was given may be a replica set");
        try (MongoClient client = MongoClients.create(server.url())) {
            MongoCollection<Document> locks = client.getDatabase(database).getCollection("locks");
            assertThatThrownBy(locks.withReadConcern(ReadConcern.LINEARIZABLE)::countDocuments)
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            e -> assertThat(e.getCode()).isEqualTo(123));
            assertThatThrownBy(locks.withReadConcern(ReadConcern.LOCAL).watch()::cursor)
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            e -> assertThat(e.getCode()).isEqualTo(72));
            locks.withReadConcern(ReadConcern.MAJORITY).watch().cursor().close();
        }
    }

    @Test
    void killedItServesAgainWithoutWhatItHad() throws Exception {
        assumeTrue(server.canBeKilled(), "the server is not ours");
        try (MongoClient client = MongoClients.create(server.url())) {
            MongoCollection<Document> locks = client.getDatabase(database).getCollection("locks");
            locks.insertOne(new Document("_id", "a"));
            assertThat(locks.countDocuments()).isEqualTo(1);
            long pid = server.pid();
            server.kill();
            assertThat(ProcessHandle.of(pid)).isEmpty();
            server.restart();
        }
        try (MongoClient client = MongoClients.create(server.url())) {
            assertThat(client.getDatabase(database).getCollection("locks").countDocuments())
                    .isZero();
        }
    }

    @Test
    void stoppedItIsSilentUntilItIsResumed() throws Exception {
        assumeTrue(server.canBeKilled(), "the server is not ours");
        try (MongoClient client = MongoClients.create(server.url())) {
            MongoCollection<Document> locks = client.getDatabase(database).getCollection("locks");
            assertThat(locks.countDocuments()).isZero();
            server.stop();
            CompletableFuture<Long> answer = CompletableFuture.supplyAsync(locks::countDocuments);
            assertThatThrownBy(() -> answer.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            server.resume();
            assertThat(answer.get(Pace.seconds(), TimeUnit.SECONDS)).isZero();
        }
    }
}
