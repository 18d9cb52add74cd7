package io.belay.mongodb;

import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Updates;
import io.belay.Lease;
import io.belay.fence.Fence;
import io.belay.fence.FencingToken;
import io.belay.fence.StaleTokenException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * A guard of one document in MongoDB. The highest token that has been used of each lock is in a field of the document itself,
 * {@code belayFence}, and each update has it in its filter: MongoDB compares and writes in one step. The lock may be in any
 * store.
 *
 * <pre>{@code
 * MongoFence fence = MongoFence.of(collection, "iphone");
 * MongoFence.Writer stock = fence.raise(lease);           // before anything is read; it reads, too
 * int left = stock.document().getInteger("left");
 * stock.update(Updates.set("left", left - 1));            // refused if a later holder has raised the fence
 * }</pre>
 *
 * <p>A document that is not there is made when its fence is raised. With a document that is deleted its fence is gone: mark it
 * instead, as long as a holder may come late. Whoever replaces a document must keep the field. A collection that is sharded must
 * be so by {@code _id}.
 *
 * <p>Thread-safe. Blocks as the driver does, until a majority of the replica set has what was written, and throws what it
 * throws.
 */
public final class MongoFence implements Fence<MongoFence.Writer, RuntimeException> {
    private static final String FIELD = "belayFence";
    private static final int DUPLICATE_KEY = 11000;

    private final MongoCollection<Document> collection;
    private final Object id;

    private MongoFence(MongoCollection<Document> collection, Object id) {
        this.collection = collection;
        this.id = id;
    }

    /**
     * Returns the fence of a document.
     *
     * @param id the document's {@code _id}
     */
    public static MongoFence of(MongoCollection<Document> collection, Object id) {
        Objects.requireNonNull(collection, "collection");
        Objects.requireNonNull(id, "id");
        // A secondary may not know yet who has raised it.
        return new MongoFence(
                collection.withWriteConcern(WriteConcern.MAJORITY).withReadPreference(ReadPreference.primary()), id);
    }

    @Override
    public Writer raiseTo(Collection<FencingToken> tokens) {
        List<FencingToken> ordered = FencingToken.inOrder(tokens);
        FindOneAndUpdateOptions options =
                new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER);
        boolean missing = false;
        while (true) {
            try {
                Document raised = collection.findOneAndUpdate(filter(ordered), raised(ordered), options);
                return new Writer(ordered, Objects.requireNonNull(raised));
            } catch (MongoException e) {
                // It is there, but not for this filter, so that it could not be made either.
                if (e.getCode() != DUPLICATE_KEY) {
                    throw e;
                }
                Document present = find();
                StaleTokenException refusal = refusal(ordered, present);
                if (refusal != null) {
                    throw refusal;
                }
                // Another has made it just now; or it cannot be made, as another unique index refuses it.
                if (present == null && missing) {
                    throw e;
                }
                missing = present == null;
            }
        }
    }

    /**
     * {@inheritDoc}
     *
     * @param lock its full name, see {@link Lease#name()}
     */
    @Override
    public void reset(String lock) {
        Objects.requireNonNull(lock, "lock");
        collection.updateOne(Filters.eq(id), Updates.unset(field(lock)));
    }

    private Bson filter(List<FencingToken> tokens) {
        List<Bson> filters = new ArrayList<>();
        filters.add(Filters.eq(id));
        for (FencingToken token : tokens) {
            filters.add(Filters.not(Filters.gt(field(token.lock()), token.value())));
        }
        return Filters.and(filters);
    }

    private static Bson raised(List<FencingToken> tokens) {
        return Updates.combine(tokens.stream()
                .map(token -> Updates.set(field(token.lock()), token.value()))
                .toList());
    }

    private static String field(String lock) {
        return FIELD + "." + key(lock);
    }

    /** Returns the name of a lock without what has a meaning in the name of a field. */
    private static String key(String lock) {
        return lock.replace("%", "%25").replace(".", "%2E").replace("$", "%24").replace("\0", "%00");
    }

    private @Nullable Document find() {
        return collection.find(Filters.eq(id)).first();
    }

    private static @Nullable StaleTokenException refusal(List<FencingToken> tokens, @Nullable Document present) {
        Document fence = present == null ? null : present.get(FIELD, Document.class);
        if (fence != null) {
            for (FencingToken token : tokens) {
                Number stands = fence.get(key(token.lock()), Number.class);
                if (stands != null && stands.longValue() > token.value()) {
                    return StaleTokenException.of(token, stands.longValue());
                }
            }
        }
        return null;
    }

    /** The way to write for a holder that has raised the fence. */
    public final class Writer {
        private final List<FencingToken> tokens;
        private final Document document;

        private Writer(List<FencingToken> tokens, Document document) {
            this.tokens = tokens;
            this.document = document;
        }

        /** Returns the document as it was when the fence was raised; only a later holder, or this one, changes it from then on. */
        public Document document() {
            return document;
        }

        /**
         * Changes the document.
         *
         * @param update with update operators, as of the driver's {@code Updates}; no pipeline
         * @throws StaleTokenException if a later holder has raised the fence; nothing was changed
         * @throws IllegalStateException if the document was deleted since the fence was raised
         */
        public void update(Bson update) {
            Objects.requireNonNull(update, "update");
            // Ours is first, as the driver writes the others into its document, and last, as the last one counts.
            Bson guarded = Updates.combine(raised(tokens), update, raised(tokens));
            if (collection.updateOne(filter(tokens), guarded).getMatchedCount() == 0) {
                StaleTokenException refusal = refusal(tokens, find());
                throw refusal != null
                        ? refusal
                        : new IllegalStateException("the document '" + id + "' of " + collection.getNamespace()
                                + " was deleted since its fence was raised, and the fence with it: mark documents"
                                + " instead of deleting them");
            }
        }
    }
}
