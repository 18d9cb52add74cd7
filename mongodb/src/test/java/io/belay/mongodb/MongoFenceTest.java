package io.belay.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import io.belay.fence.Fence;
import io.belay.fence.FencingToken;
import io.belay.fence.StaleTokenException;
import io.belay.servers.MongoServer;
import io.belay.servers.Pace;
import io.belay.servers.TcpProxy;
import io.belay.tck.FenceSpec;
import io.belay.tck.FenceTck;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class MongoFenceTest extends FenceTck<MongoFence.Writer, RuntimeException> {
    private static MongoServer server;
    private static MongoClient client;
    private static MongoCollection<Document> collection;

    private final String id = UUID.randomUUID().toString();

    @BeforeAll
    static void start() throws Exception {
        server = MongoServer.start();
        client = MongoClients.create(server.url());
        collection = client.getDatabase("fences").getCollection("counters");
    }

    @AfterAll
    static void end() {
        client.close();
        server.close();
    }

    @Override
    protected FenceSpec<MongoFence.Writer, RuntimeException> open() {
        MongoFence fence = MongoFence.of(collection, id);
        collection.insertOne(new Document("_id", id).append("value", 0L));
        return new FenceSpec<>() {
            @Override
            public Fence<MongoFence.Writer, RuntimeException> fence() {
                return fence;
            }

            @Override
            public long read() {
                return collection.find(Filters.eq(id)).first().getLong("value");
            }

            @Override
            public void write(MongoFence.Writer writer, long value) {
                writer.update(Updates.set("value", value));
            }

            @Override
            public void writeUnguarded(long value) {
                collection.updateOne(Filters.eq(id), Updates.set("value", value));
            }

            @Override
            public void close() {}
        };
    }

    private static MongoFence.Writer raise(Object id, long token) {
        return MongoFence.of(collection, id).raiseTo(List.of(FencingToken.of("stock", token)));
    }

    /** Returns how many of two acknowledged additions are lost: the first is held up between its holder's last look and the server. */
    private long lostOfALateWrite(boolean fenced) throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server);
                MongoClient away = MongoClients.create(proxy.url())) {
            MongoCollection<Document> late = away.getDatabase("fences").getCollection("counters");
            MongoFence.Writer old = MongoFence.of(late, id).raiseTo(List.of(FencingToken.of("stock", 1)));
            Bson next = Updates.set("value", old.document().getLong("value") + 1);
            proxy.silenceRequests();
            CompletableFuture<Boolean> acknowledged = CompletableFuture.supplyAsync(() -> {
                try {
                    if (fenced) {
                        old.update(next);
                    } else {
                        late.updateOne(Filters.eq(id), next);
                    }
                    return true;
                } catch (StaleTokenException e) {
                    return false;
                }
            });
            MongoFence.Writer successor = raise(id, 2);
            successor.update(Updates.set("value", successor.document().getLong("value") + 1));
            proxy.pass();
            long additions = acknowledged.get(Pace.seconds(), TimeUnit.SECONDS) ? 2 : 1;
            return additions - collection.find(Filters.eq(id)).first().getLong("value");
        }
    }

    @Test
    void aWriteThatIsHeldUpOnItsWayIsRefusedByTheServer() throws Exception {
        assertThat(lostOfALateWrite(true)).isZero();
    }

    @Test
    void aWriteThatIsHeldUpOnItsWayIsLostWithoutAFence() throws Exception {
        assertThat(lostOfALateWrite(false)).isEqualTo(1);
    }

    /** Whatever the application asks for: a raise that is rolled back lets the predecessor in. */
    @Test
    void whatAMajorityHasNotIsNotRaised() {
        List<BsonDocument> commands = new CopyOnWriteArrayList<>();
        try (MongoClient weak = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.url()))
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                        commands.add(event.getCommand().clone());
                    }
                })
                .build())) {
            MongoFence.of(weak.getDatabase("fences").getCollection("counters").withWriteConcern(WriteConcern.W1), id)
                    .raiseTo(List.of(FencingToken.of("stock", 5)))
                    .update(Updates.set("value", 7L));
        }
        assertThat(commands)
                .filteredOn(command -> command.containsKey("findAndModify") || command.containsKey("update"))
                .hasSize(2)
                .allSatisfy(command -> assertThat(command.getDocument("writeConcern")
                                .getString("w")
                                .getValue())
                        .isEqualTo("majority"));
    }

    @Test
    void raisingReadsTheDocument() {
        raise(id, 5).update(Updates.set("value", 7L));
        assertThat(raise(id, 6).document().getLong("value")).isEqualTo(7);
    }

    @Test
    void aDocumentThatIsNotThereIsMadeOnceByMany() throws Exception {
        ObjectId fresh = new ObjectId();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<MongoFence.Writer>> raised = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                raised.add(threads.submit(() -> raise(fresh, 5)));
            }
            for (Future<MongoFence.Writer> one : raised) {
                one.get().update(Updates.inc("value", 1L));
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(collection.find(Filters.eq(fresh)).first().getLong("value")).isEqualTo(8);
        assertThatThrownBy(() -> raise(fresh, 4)).isInstanceOf(StaleTokenException.class);
    }

    /** One of the driver's own kind that the application uses for many documents, each under a lock of its own. */
    @Test
    void theCallersUpdateStaysAsItIsAndLowersNoOtherFence() {
        BsonDocument sold = BsonDocument.parse("{$set: {sold: true}}");
        BsonDocument before = sold.clone();
        raise(id, 5).update(sold);
        assertThat(sold).isEqualTo(before);
        String other = UUID.randomUUID().toString();
        raise(other, 9);
        MongoFence.of(collection, other)
                .raiseTo(List.of(FencingToken.of("price", 3)))
                .update(sold);
        assertThatThrownBy(() -> raise(other, 8)).hasMessageContaining("stands at token 9");
    }

    @Test
    void anUpdateThatNamesTheFenceItselfDoesNotLowerIt() {
        raise(id, 5).update(RawBsonDocument.parse("{$set: {'belayFence.stock': 1, sold: true}}"));
        assertThat(collection.find(Filters.eq(id)).first().getBoolean("sold")).isTrue();
        assertThatThrownBy(() -> raise(id, 4)).hasMessageContaining("stands at token 5");
    }

    @Test
    void aDocumentThatWasDeletedIsNotMadeAnewByAWrite() {
        MongoFence.Writer writer = raise(id, 5);
        collection.deleteOne(Filters.eq(id));
        assertThatThrownBy(() -> writer.update(Updates.set("value", 1L)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(id, "fences.counters", "deleted");
        assertThat(collection.countDocuments(Filters.eq(id))).isZero();
    }

    @Test
    void namesThatOnlyLookAlikeHaveFieldsOfTheirOwn() {
        long token = 9;
        for (String lock : List.of("a.b", "a%2Eb", "a$b", "$a", "a%")) {
            MongoFence.of(collection, id).raiseTo(List.of(FencingToken.of(lock, token--)));
        }
        assertThatThrownBy(() -> MongoFence.of(collection, id).raiseTo(List.of(FencingToken.of("a.b", 8))))
                .hasMessageContaining("stands at token 9");
    }

    @Test
    void aDocumentThatAnotherUniqueIndexRefusesFailsTheRaise() throws Exception {
        MongoCollection<Document> items = client.getDatabase("fences").getCollection("items");
        items.createIndex(Indexes.ascending("sku"), new IndexOptions().unique(true));
        items.insertOne(new Document("_id", "first").append("sku", "pixel"));
        items.insertOne(new Document("_id", id)); // without a sku, as what a raise makes
        CompletableFuture<?> raised = CompletableFuture.runAsync(
                () -> MongoFence.of(items, "second").raiseTo(List.of(FencingToken.of("x", 7))));
        assertThatThrownBy(() -> raised.get(Pace.seconds(), TimeUnit.SECONDS)).hasCauseInstanceOf(MongoException.class);
        assertThat(items.countDocuments()).isEqualTo(2);
    }
}
