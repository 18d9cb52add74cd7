package io.belay.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.document.Documents;
import io.belay.servers.MongoServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a store on documents relies on. */
@Tag("drivers")
class MongoSessionTest {
    private static final byte[] STATE = {1, 2, 3};
    private static final long SECOND = TimeUnit.SECONDS.toMicros(1);

    private static MongoServer server;

    private final String name = "t" + UUID.randomUUID().toString().replace("-", "");
    private MongoDocuments documents;
    private MongoSession session;

    @BeforeAll
    static void start() throws Exception {
        server = MongoServer.start();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @BeforeEach
    void open() {
        documents = MongoDocuments.prepare(Connections.of(url()));
        session = documents.connect();
    }

    @AfterEach
    void close() {
        documents.close();
    }

    private MongoUrl url() {
        return MongoUrl.parse(MongoSpec.with(server.url(), "belay-collection=" + name + "&belay-timeout=1m"));
    }

    private long now() {
        return session.read(List.of()).time();
    }

    private static Documents.Change change(String resource, long before, long version) {
        return new Documents.Change(resource, before, version, STATE, Long.MAX_VALUE);
    }

    private Long version(String resource) {
        Documents.Found found = session.read(List.of(resource)).found().get(resource);
        return found == null ? null : found.version();
    }

    @Test
    void theClockIsTheServersAlsoWhereNothingIs() {
        Documents.Reading reading = session.read(List.of("x"));
        assertThat(reading.found()).isEmpty();
        assertThat(Duration.between(Instant.ofEpochMilli(reading.time() / 1_000), Instant.now())
                        .abs())
                .isLessThan(Duration.ofMinutes(10));
    }

    @Test
    void aChangeIsMadeToTheVersionThatWasReadAndToNoOther() {
        long soon = now() + 60 * SECOND;
        assertThat(session.write(List.of(change("x", 0, 5)), soon)).containsExactly("x");
        assertThat(session.write(List.of(change("x", 0, 6)), soon)).isEmpty();
        assertThat(session.write(List.of(change("x", 4, 6)), soon)).isEmpty();
        assertThat(session.write(List.of(change("x", 5, 6), change("y", 7, 8), change("z", 0, 9)), soon))
                .containsExactlyInAnyOrder("x", "z");
        Documents.Reading reading = session.read(List.of("x", "y", "z"));
        assertThat(reading.found()).containsOnlyKeys("x", "z");
        assertThat(reading.found().get("x").version()).isEqualTo(6);
        assertThat(reading.found().get("x").state()).isEqualTo(STATE);
    }

    /** A reservation is a version as any other, which the next one follows. */
    @Test
    void whoIsSlowerThanOthersAfterAReservationKnowsIt() {
        long soon = now() + 60 * SECOND;
        for (int version = 1; version <= 20; version++) { // more than a document keeps
            session.write(List.of(change("x", version - 1, version)), soon);
        }
        assertThat(session.reserve("x", -7, -9)).isTrue();
        assertThat(documents.connect().write(List.of(change("x", -7, 21)), soon))
                .containsExactly("x");
        assertThat(session.write(List.of(change("x", -7, 22), change("y", 0, 1)), soon))
                .containsExactly("y");
    }

    @Test
    void whatComesTooLateIsNotMade() {
        long now = now();
        assertThat(session.write(List.of(change("x", 0, 1)), now - 60 * SECOND)).isEmpty();
        assertThat(version("x")).isNull();
        assertThat(session.write(List.of(change("x", 0, 1)), now + 60 * SECOND)).containsExactly("x");
        assertThat(session.write(List.of(change("x", 1, 2)), now - 60 * SECOND)).isEmpty();
        assertThat(version("x")).isEqualTo(1);
    }

    @Test
    void ofThoseWhoMakeTheSameOneIsTheFirst() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            long soon = now() + 60 * SECOND;
            for (int round = 0; round < 25; round++) {
                String resource = "r" + round;
                List<Callable<Set<String>>> all = new ArrayList<>();
                for (int t = 1; t <= 4; t++) {
                    Documents.Change mine = change(resource, 0, t);
                    all.add(() -> documents.connect().write(List.of(mine), soon));
                }
                int made = 0;
                for (Future<Set<String>> done : threads.invokeAll(all)) {
                    made += done.get().size();
                }
                assertThat(made).isEqualTo(1);
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void namesAreComparedByteByByte() {
        List<String> names = List.of("e", "E", "é", "e\u0301", "e\0", "e ");
        long soon = now() + 60 * SECOND;
        assertThat(session.write(names.stream().map(each -> change(each, 0, 1)).toList(), soon))
                .containsExactlyInAnyOrderElementsOf(names);
        assertThat(session.read(names).found()).containsOnlyKeys(names);
    }

    @Test
    void aDroppedCollectionIsAsGoodAsNew() {
        session.write(List.of(change("x", 0, 1)), now() + 60 * SECOND);
        try (MongoClient client = MongoClients.create(url().driver())) {
            raw(client).drop();
        }
        assertThat(version("x")).isNull();
        assertThat(session.write(List.of(change("x", 0, 2)), now() + 60 * SECOND))
                .containsExactly("x");
        assertForgets();
    }

    /** A server forgets what has a date in the past. */
    @Test
    void aDocumentIsKeptAnHourLongerThanItIsNeededOrForEver() {
        long now = now();
        session.write(List.of(new Documents.Change("x", 0, 1, STATE, now), change("ever", 0, 1)), now + 60 * SECOND);
        try (MongoClient client = MongoClients.create(url().driver())) {
            BsonDocument x = raw(client).find(Filters.eq("name", "x")).first();
            assertThat(x.getDateTime("forget").getValue()).isEqualTo(now / 1_000 + 3_600_000);
            assertThat(raw(client).find(Filters.eq("name", "ever")).first().isNull("forget"))
                    .isTrue();
        }
        assertForgets();
    }

    private void assertForgets() {
        try (MongoClient client = MongoClients.create(url().driver())) {
            assertThat(raw(client).listIndexes().into(new ArrayList<>()).toString())
                    .contains("forget", "expireAfterSeconds=0");
        }
    }

    private MongoCollection<BsonDocument> raw(MongoClient client) {
        return client.getDatabase(url().database()).getCollection(name, BsonDocument.class);
    }

    /** The commands that a client of the driver's is asked for, one that asks for less by itself. */
    private static MongoClient told(MongoUrl url, List<BsonDocument> commands) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(url.driver())
                .writeConcern(WriteConcern.W1)
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                        commands.add(event.getCommand().clone());
                    }
                })
                .build());
    }

    private static List<BsonDocument> named(String command, List<BsonDocument> commands) {
        return commands.stream().filter(asked -> asked.containsKey(command)).toList();
    }

    @Test
    void whatIsWrittenIsInTheJournalsOfAMajorityBeforeItCounts() throws Exception {
        List<BsonDocument> commands = new CopyOnWriteArrayList<>();
        try (MongoClient client = told(url(), commands)) {
            Mongo mongo = Mongo.in(client, url().database())
                    .withCollection(name)
                    .withTimeout(Duration.ofMinutes(1))
                    .withoutWatching();
            try (Belay belay = Belay.connect(mongo, BelayOptions.defaults())) {
                belay.lock("x").acquire().release();
            }
        }
        assertThat(named("update", commands))
                .isNotEmpty()
                .allSatisfy(update -> assertThat(update.getDocument("writeConcern"))
                        .isEqualTo(BsonDocument.parse("{w: 'majority', j: true}")));
    }

    /** A server's own first batch has 101 documents; the rest would be read without the concern. The stand-in has all in one. */
    @Test
    void allIsReadInOneBatch() {
        List<String> resources = IntStream.range(0, 150).mapToObj(i -> "r" + i).toList();
        List<Documents.Change> changes =
                resources.stream().map(each -> change(each, 0, 1)).toList();
        session.write(changes, now() + 60 * SECOND);
        List<BsonDocument> commands = new CopyOnWriteArrayList<>();
        try (MongoClient client = told(url(), commands);
                MongoDocuments counted =
                        MongoDocuments.prepare(Connections.of(client, url().database(), url().settings()))) {
            commands.clear();
            MongoSession counting = counted.connect();
            assertThat(counting.read(resources).found()).hasSize(150);
            assertThat(counting.made(changes)).hasSize(150);
            assertThat(counting.names("", "").names()).hasSize(150);
            assertThat(named("getMore", commands)).isEmpty();
            assertThat(commands)
                    .hasSize(3)
                    .extracting(command -> command.getDocument("cursor", command)
                            .getInt32("batchSize")
                            .getValue())
                    .allMatch(size -> size > 150);
        }
    }

    @Test
    void aClientOfTheUsersIsUsedAndNotClosed() throws Exception {
        try (MongoClient client = MongoClients.create(url().driver())) {
            Mongo mongo = Mongo.in(client, url().database())
                    .withCollection(name)
                    .withTimeout(Duration.ofMinutes(1))
                    .withoutWatching();
            try (Belay belay = Belay.connect(mongo, BelayOptions.defaults());
                    Lease lease = belay.lock("x").acquire()) {
                assertThat(version("x")).isNotNull();
                assertThat(lease.isHeld()).isTrue();
            }
            assertThat(raw(client).countDocuments(Filters.eq("name", "x"))).isEqualTo(1);
        }
    }
}
