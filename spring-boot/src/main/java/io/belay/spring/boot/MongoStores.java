package io.belay.spring.boot;

import io.belay.mongodb.Mongo;
import java.util.Optional;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/** The application's MongoDB as a store of locks, over connections of Belay's own. */
final class MongoStores {
    private MongoStores() {}

    /**
     * Returns the store that the details lead to.
     *
     * @param database the one in the application's properties, which goes before that of the URL; the details do not tell it
     */
    static Mongo of(MongoConnectionDetails details, Optional<String> database) {
        Mongo at = Mongo.at(details.getConnectionString().getConnectionString());
        Mongo mongo = database.map(at::withDatabase).orElse(at);
        SslBundle ssl = details.getSslBundle();
        return ssl == null ? mongo : mongo.withSslContext(ssl.createSslContext());
    }
}
