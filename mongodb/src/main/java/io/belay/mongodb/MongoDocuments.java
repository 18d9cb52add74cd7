package io.belay.mongodb;

import com.mongodb.ReadConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.connection.ClusterType;
import io.belay.document.Documents;
import io.belay.spi.StoreException;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** A collection in which each resource is a document. */
final class MongoDocuments implements Documents {
    private final Connections source;
    private final MongoCollection<BsonDocument> collection;
    private @Nullable ChangeBell bell;
    /** True if no client gets calls, for want of change streams; one that does not listen makes calls all the same. */
    private volatile boolean deaf;

    private volatile ReadConcern concern;

    private MongoDocuments(Connections source, ReadConcern concern) {
        this.source = source;
        collection = source.collection();
        this.concern = concern;
    }

    /** Makes what is not there yet, with all rights that a session will need, so that a missing one shows now. */
    static MongoDocuments prepare(Connections source) {
        MongoDocuments documents = new MongoDocuments(source, readConcern(source.type()));
        try (MongoSession session = documents.connect()) {
            session.makeCollection();
            session.read(List.of());
        }
        return documents;
    }

    /**
     * Returns how to read, or refuses a kind of server that cannot keep locks. An answer may come of a reading alone,
     * without a write that would fail on a primary that has been replaced and does not know it; so a replica set's
     * primary is to make sure first that it still is one.
     */
    static ReadConcern readConcern(ClusterType type) {
        return switch (type) {
            case STANDALONE -> ReadConcern.DEFAULT; // it knows of no other
            case SHARDED, LOAD_BALANCED ->
                throw StoreException.unusable(
                        "the locks cannot be in a sharded cluster of MongoDB, where each router has a clock of its own:"
                                + " give them a replica set",
                        null);
            default -> ReadConcern.LINEARIZABLE;
        };
    }

    /**
     * Returns the collection as it is to be read now. A server alone may become a replica set while a client is open, as the doctor
     * advises, and then its primary may be replaced, and others listen.
     */
    MongoCollection<BsonDocument> collection() {
        if (concern.equals(ReadConcern.DEFAULT)) {
            ClusterType type = source.lastType();
            if (type != ClusterType.STANDALONE && type != ClusterType.UNKNOWN) {
                concern = readConcern(type);
                deaf = false;
            }
        }
        return collection.withReadConcern(concern);
    }

    /** Returns whether any client may get calls. */
    boolean rings() {
        return !deaf;
    }

    @Override
    public boolean isFar() {
        return true;
    }

    @Override
    public MongoSession connect() {
        return new MongoSession(source, this);
    }

    @Override
    public boolean listen(long client, Bell listener) {
        if (!source.settings().watch()) {
            return false;
        }
        ChangeBell begun = new ChangeBell(source, client, listener);
        boolean hears = begun.start();
        deaf = !hears;
        bell = hears ? begun : null;
        return hears;
    }

    @Override
    public void close() {
        if (bell != null) {
            bell.close();
        }
        source.close();
    }
}
