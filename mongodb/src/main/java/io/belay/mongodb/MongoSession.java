package io.belay.mongodb;

import static io.belay.mongodb.Fields.CLOCK;
import static io.belay.mongodb.Fields.FORGET;
import static io.belay.mongodb.Fields.ID;
import static io.belay.mongodb.Fields.NAME;
import static io.belay.mongodb.Fields.PAST;
import static io.belay.mongodb.Fields.RESOURCE;
import static io.belay.mongodb.Fields.STATE;
import static io.belay.mongodb.Fields.TO;
import static io.belay.mongodb.Fields.VERSION;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Field;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.PushOptions;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import io.belay.document.Documents;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/**
 * A session that reads and writes the documents. It makes one that is not there yet with the version 0, and then
 * changes it as any other: a change can depend on the clock, which an insert cannot.
 */
final class MongoSession implements Documents.Session {
    /** A name that no lock has, as users' names are not empty. Its document is there to read the clock with. */
    private static final String NOBODYS = "";

    private static final String NOW = "$$NOW";
    private static final long NONE = 0;
    private static final int DUPLICATE = 11_000;

    /** The time by which a resource is kept longer, in microseconds, as the next primary's clock may be behind. */
    private static final long MARGIN = TimeUnit.HOURS.toMicros(1);

    /** The number of versions that a document has had and keeps. */
    private static final int MOST_PAST = 16;

    private static final PushOptions LAST = new PushOptions().slice(-MOST_PAST);

    /** The time after which the server deletes a call, in microseconds: a client gets it at once or never. */
    private static final long CALL = TimeUnit.MINUTES.toMicros(1);

    private final Connections source;
    private final MongoDocuments documents;
    private long clock;

    MongoSession(Connections source, MongoDocuments documents) {
        this.source = source;
        this.documents = documents;
    }

    @Override
    public Documents.Reading read(Collection<String> resources) {
        try {
            Documents.Reading reading = tryRead(resources);
            if (reading.time() == 0) {
                makeCollection(); // somebody has dropped the collection
                reading = tryRead(resources);
            }
            clock = reading.time();
            return reading;
        } catch (RuntimeException e) {
            throw source.failures().of(e);
        }
    }

    private Documents.Reading tryRead(Collection<String> resources) {
        List<BsonBinary> ids = new ArrayList<>(resources.size() + 1);
        resources.forEach(resource -> ids.add(Fields.id(resource)));
        ids.add(Fields.id(NOBODYS));
        Map<String, Documents.Found> found = new HashMap<>();
        long time = 0;
        // All in one batch, as only that is read with the read concern asked for.
        for (BsonDocument document : documents
                .collection()
                .aggregate(
                        List.of(Aggregates.match(Filters.in(ID, ids)), Aggregates.addFields(new Field<>(CLOCK, NOW))))
                .batchSize(ids.size() + 1)) {
            time = TimeUnit.MILLISECONDS.toMicros(document.getDateTime(CLOCK).getValue());
            long version = document.getInt64(VERSION).getValue();
            if (version != NONE) {
                found.put(
                        Fields.resource(document.getBinary(ID)),
                        new Documents.Found(version, document.getBinary(STATE).getData()));
            }
        }
        return new Documents.Reading(time, found);
    }

    /** Makes what is not there yet. */
    void makeCollection() {
        try {
            // The margin is in the dates: deleted is what is past its own.
            MongoCollection<BsonDocument> collection = documents.collection();
            collection.createIndex(Indexes.ascending(FORGET), new IndexOptions().expireAfter(0L, TimeUnit.SECONDS));
            collection.updateOne(
                    Filters.eq(ID, Fields.id(NOBODYS)),
                    Updates.setOnInsert(VERSION, new BsonInt64(NONE)),
                    new UpdateOptions().upsert(true));
        } catch (RuntimeException e) {
            if (!isDuplicate(e)) {
                throw source.failures().of(e);
            }
        }
    }

    @Override
    public Set<String> write(List<Documents.Change> changes, long notAfter) {
        List<UpdateOneModel<BsonDocument>> updates = new ArrayList<>(changes.size());
        for (Documents.Change change : changes) {
            if (change.before() == NONE) {
                updates.add(make(change, notAfter));
            }
            updates.add(update(change, notAfter));
        }
        try {
            // In order, as each update finds what was made before it; they go in one request.
            BulkWriteResult result = documents.collection().bulkWrite(updates);
            if (result.getMatchedCount() + result.getUpserts().size() == updates.size()) {
                Set<String> all = new HashSet<>();
                changes.forEach(change -> all.add(change.resource()));
                return all;
            } else if (changes.size() == 1) {
                return Set.of();
            }
        } catch (RuntimeException e) {
            if (!isDuplicate(e)) {
                throw source.failures().of(e);
            }
        }
        return made(changes);
    }

    /** Looks at the last versions that each document has had: others may have changed it since. */
    @Override
    public Set<String> made(List<Documents.Change> changes) {
        Set<String> made = new HashSet<>();
        List<BsonBinary> ids =
                changes.stream().map(change -> Fields.id(change.resource())).toList();
        Map<String, BsonDocument> found = new HashMap<>();
        try {
            documents
                    .collection()
                    .find(Filters.in(ID, ids))
                    .projection(Projections.include(VERSION, PAST))
                    .batchSize(ids.size() + 1) // as above
                    .forEach(document -> found.put(Fields.resource(document.getBinary(ID)), document));
        } catch (RuntimeException e) {
            throw source.failures().of(e);
        }
        for (Documents.Change change : changes) {
            BsonDocument document = found.get(change.resource());
            if (document == null) {
                continue; // what is made is not forgotten so soon
            }
            List<Long> past = past(document);
            boolean unchanged = document.getInt64(VERSION).getValue() == change.before();
            if (past.contains(change.version())) {
                made.add(change.resource());
            } else if (!unchanged && past.size() == MOST_PAST && !past.contains(change.before())) {
                throw StoreException.unreachable(
                        "it cannot be told whether '" + change.resource() + "' was changed before others changed it",
                        null);
            }
        }
        return made;
    }

    private static List<Long> past(BsonDocument document) {
        BsonArray versions = document.getArray(PAST, new BsonArray());
        return versions.stream().map(version -> version.asInt64().getValue()).toList();
    }

    private static UpdateOneModel<BsonDocument> make(Documents.Change change, long notAfter) {
        Bson update = Updates.combine(
                Updates.setOnInsert(NAME, new BsonString(change.resource())),
                Updates.setOnInsert(VERSION, new BsonInt64(NONE)),
                Updates.setOnInsert(FORGET, Fields.date(notAfter + MARGIN)));
        return new UpdateOneModel<>(
                Filters.eq(ID, Fields.id(change.resource())), update, new UpdateOptions().upsert(true));
    }

    private static UpdateOneModel<BsonDocument> update(Documents.Change change, long notAfter) {
        BsonValue inTime = new BsonDocument("$lte", new BsonArray(List.of(new BsonString(NOW), Fields.date(notAfter))));
        Bson unchanged = Filters.and(
                Filters.eq(ID, Fields.id(change.resource())),
                Filters.eq(VERSION, new BsonInt64(change.before())),
                Filters.expr(inTime));
        boolean kept = change.forget() > Long.MAX_VALUE - MARGIN;
        return new UpdateOneModel<>(
                unchanged,
                Updates.combine(
                        next(change.version()),
                        Updates.set(STATE, new BsonBinary(change.state())),
                        Updates.set(FORGET, kept ? BsonNull.VALUE : Fields.date(change.forget() + MARGIN))));
    }

    private static Bson next(long version) {
        BsonInt64 next = new BsonInt64(version);
        return Updates.combine(Updates.set(VERSION, next), Updates.pushEach(PAST, List.of(next), LAST));
    }

    /** Returns whether another client made a document at the same time; the one that failed did nothing after that. */
    private static boolean isDuplicate(RuntimeException e) {
        return e instanceof MongoBulkWriteException bulk
                ? bulk.getWriteConcernError() == null
                        && bulk.getWriteErrors().stream().allMatch(error -> error.getCode() == DUPLICATE)
                : e instanceof MongoException known && known.getCode() == DUPLICATE;
    }

    @Override
    public boolean reserve(String resource, long version, long over) {
        Bson reservable = Filters.and(
                Filters.eq(ID, Fields.id(resource)),
                Filters.gt(VERSION, new BsonInt64(over)),
                Filters.ne(VERSION, new BsonInt64(NONE)));
        try {
            return documents.collection().updateOne(reservable, next(version)).getMatchedCount() > 0;
        } catch (RuntimeException e) {
            throw source.failures().of(e);
        }
    }

    @Override
    public Store.NamePage names(String prefix, String cursor) {
        NamePlace from = cursor.isEmpty() ? NamePlace.first(prefix) : NamePlace.of(cursor);
        List<byte[]> page = new ArrayList<>();
        try {
            // In one batch, as above.
            documents
                    .collection()
                    .find(Filters.gte(ID, from.id()))
                    .projection(Projections.include(ID))
                    .sort(Sorts.ascending(ID))
                    .limit(NamePlace.PAGE)
                    .batchSize(NamePlace.PAGE + 1)
                    .forEach(document -> page.add(document.getBinary(ID).getData()));
        } catch (RuntimeException e) {
            throw source.failures().of(e);
        }
        return NamePlace.page(prefix, page);
    }

    /** Makes a document of each call, which the called client's change stream shows. */
    @Override
    public void ring(Collection<Documents.Call> calls) {
        if (!documents.rings()) {
            return;
        }
        List<BsonDocument> made = calls.stream()
                .map(call -> new BsonDocument(TO, new BsonInt64(call.client()))
                        .append(RESOURCE, new BsonString(call.resource()))
                        .append(FORGET, Fields.date(clock + CALL)))
                .toList();
        try {
            // A stream shows only what is on a majority anyway.
            documents
                    .collection()
                    .withWriteConcern(WriteConcern.W1)
                    .insertMany(made, new InsertManyOptions().ordered(false));
        } catch (RuntimeException e) {
            throw source.failures().of(e);
        }
    }

    /** Does nothing: the server deletes by itself. */
    @Override
    public boolean sweep() {
        return false;
    }

    /** Does nothing: the connections are the driver's. */
    @Override
    public void close() {}
}
