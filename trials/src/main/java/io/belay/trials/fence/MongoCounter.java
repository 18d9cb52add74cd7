package io.belay.trials.fence;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import io.belay.fence.FencingToken;
import io.belay.mongodb.MongoFence;
import io.belay.servers.MongoServer;
import java.util.List;
import java.util.Objects;
import org.bson.Document;

/** A counter in a document. */
record MongoCounter(MongoServer server, MongoClient client, MongoCollection<Document> collection) implements Counter {
    private static final String ID = "counter";
    private static final String FIELD = "value";

    static Counter start() throws Exception {
        MongoServer server = MongoServer.start();
        MongoClient client = MongoClients.create(server.url());
        MongoCollection<Document> collection = client.getDatabase("trials").getCollection("counters");
        collection.insertOne(new Document("_id", ID).append(FIELD, 0L));
        return new MongoCounter(server, client, collection);
    }

    @Override
    public long value() {
        return value(Objects.requireNonNull(collection.find(Filters.eq(ID)).first()));
    }

    private static long value(Document document) {
        return document.get(FIELD, 0L);
    }

    @Override
    public Addition guarded(FencingToken token) {
        MongoFence.Writer writer = MongoFence.of(collection, ID).raiseTo(List.of(token));
        long read = value(writer.document());
        return () -> writer.update(Updates.set(FIELD, read + 1));
    }

    @Override
    public Addition unguarded() {
        long read = value();
        return () -> collection.updateOne(Filters.eq(ID), Updates.set(FIELD, read + 1));
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
