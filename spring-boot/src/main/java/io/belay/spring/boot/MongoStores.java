package io.belay.spring.boot;

import io.belay.mongodb.Mongo;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;

/** The application's MongoDB as a store of locks, over connections of Belay's own. */
final class MongoStores {
    private MongoStores() {}

    static Mongo of(MongoConnectionDetails details) {
        if (details.getSslBundle() != null) {
            throw new StoreChoiceException(
                    "The application's MongoDB is reached with an SSL bundle, which Belay does not take for it.",
                    "Set belay.url to a connection string with tls=true, and trust the certificate in the JVM.");
        }
        return Mongo.at(details.getConnectionString().getConnectionString());
    }
}
