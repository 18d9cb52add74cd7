package io.belay.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import io.belay.fence.FencingToken;
import io.belay.servers.NullProbe;
import io.belay.spi.Store;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** Null where nothing says that it may be is refused at once, by its name. */
class NullArgumentsTest {
    @Test
    void allThatIsPublicRefusesNullByItsName() throws Exception {
        @SuppressWarnings("unchecked") // a stub has any documents
        MongoCollection<Document> collection = (MongoCollection<Document>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {MongoCollection.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "withWriteConcern", "withReadPreference" -> proxy;
                    case "findOneAndUpdate" -> new Document();
                    default -> null;
                });
        MongoFence fence = MongoFence.of(collection, "x");
        NullProbe probe = new NullProbe(
                Set.of(),
                List.of(
                        "x",
                        Duration.ofSeconds(1),
                        NullProbe.stub(Store.Listener.class),
                        NullProbe.stub(MongoClient.class),
                        collection,
                        new Document(),
                        List.of(),
                        fence,
                        fence.raiseTo(List.of(FencingToken.of("x", 1))),
                        Mongo.at("mongodb://localhost"),
                        new MongoStoreProvider()));
        assertThat(probe.complaints(Mongo.class)).isEmpty();
    }
}
