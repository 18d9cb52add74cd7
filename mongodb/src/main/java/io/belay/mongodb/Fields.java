package io.belay.mongodb;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;

/** The names of a document's fields. A resource has those down to {@link #FORGET}; a call has that and the next two. */
final class Fields {
    /**
     * The id: a resource's name in UTF-8, as bytes mean the same under any collation; of a call, the driver's choice.
     */
    static final String ID = "_id";
    /** The name of a resource, for people to read. */
    static final String NAME = "name";
    /** The version; 0 while the document has no state yet. */
    static final String VERSION = "version";
    /** The last versions that the document was written with, the present one among them. */
    static final String PAST = "past";

    static final String STATE = "state";
    /** The time from which on the server deletes the document. */
    static final String FORGET = "forget";
    /** The number of the client that a call is for, and the resource that the client is to look at. */
    static final String TO = "to";

    static final String RESOURCE = "resource";

    /** The field that a reading adds to each document, with the database's clock. */
    static final String CLOCK = "clock";

    private Fields() {}

    static BsonBinary id(String resource) {
        return new BsonBinary(resource.getBytes(StandardCharsets.UTF_8));
    }

    static String resource(BsonBinary id) {
        return new String(id.getData(), StandardCharsets.UTF_8);
    }

    /** Returns the millisecond that a time in microseconds is in. */
    static BsonDateTime date(long micros) {
        return new BsonDateTime(TimeUnit.MICROSECONDS.toMillis(micros));
    }
}
