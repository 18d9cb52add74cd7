package io.belay.spring.boot;

import io.belay.mongodb.Mongo;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/** The application's MongoDB as a store of locks, over connections of Belay's own. */
final class MongoStores {
    private MongoStores() {}

    static Mongo of(MongoConnectionDetails details) {
        Mongo mongo = Mongo.at(details.getConnectionString().getConnectionString());
        SslBundle ssl = details.getSslBundle();
        return ssl == null ? mongo : mongo.withSslContext(ssl.createSslContext());
    }
}
