package io.belay.mongodb;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;

/** What a document of the collection is made of. A resource has all but the last, a call only those after the state. */
final class Fields {
    /** A resource's name in UTF-8: as bytes it means the same under any collation. Of a call, whatever the driver gives. */
    static final String ID = "_id";
    /** The same for people to read. */
    static final String NAME = "name";
    /** The version; 0 while there is nothing but the document. */
    static final String VERSION = "version";
    /** The last versions that it was written with, the present one among them. */
    static final String PAST = "past";

    static final String STATE = "state";
    /** From when on the server deletes it. */
    static final String FORGET = "forget";
    /** Of a call: the number of the client, and the resource. */
    static final String TO = "to";

    static final String RESOURCE = "resource";

    /** Where the database's clock goes when it is read. */
    static final String CLOCK = "clock";

    private Fields() {}

    static BsonBinary id(String resource) {
        return new BsonBinary(resource.getBytes(StandardCharsets.UTF_8));
    }

    static String resource(BsonBinary id) {
        return new String(id.getData(), StandardCharsets.UTF_8);
    }

    /** The millisecond that a time in microseconds is in. */
    static BsonDateTime date(long micros) {
        return new BsonDateTime(TimeUnit.MICROSECONDS.toMillis(micros));
    }
}
