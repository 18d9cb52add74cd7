package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.BelayAdmin;
import io.belay.document.Documents.Change;
import io.belay.document.Documents.Session;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A batch that is made in part, while others go on changing what it has changed. */
class PartialWriteTest {
    private static final long NEVER = Long.MAX_VALUE;

    /** What a test does before a statement is prepared. */
    private Consumer<String> before = sql -> {};

    /** Connections that tell of each statement. */
    private DataSource source(String url) {
        return proxy(DataSource.class, null, (name, arguments) -> {
            if (!name.equals("getConnection")) {
                throw new UnsupportedOperationException(name);
            }
            return proxy(Connection.class, DriverManager.getConnection(url), (called, given) -> {
                if (called.equals("prepareStatement")) {
                    before.accept((String) given[0]);
                }
                return null;
            });
        });
    }

    private interface Call {
        /** Returns what is answered, or null if the real object is to be asked. */
        Object call(String name, Object[] arguments) throws Exception;
    }

    private static <T> T proxy(Class<T> type, T real, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    Object answer = call.call(method.getName(), arguments);
                    if (answer != null || real == null) {
                        return answer;
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static Change change(String name, long was, long version) {
        return new Change(name, was, version, new byte[] {1}, NEVER);
    }

    @Test
    void saysWhatItHasMadeThoughSomebodyHasChangedThatSince(@TempDir Path directory) {
        for (String url :
                List.of("jdbc:h2:mem:partial;DB_CLOSE_DELAY=-1", "jdbc:sqlite:" + directory.resolve("x.db"))) {
            BelayAdmin.prepare(url.startsWith("jdbc:sqlite:") ? url + "?belay-own-file=false" : url);
            JdbcDocuments documents = new JdbcDocuments(Connections.of(source(url), Settings.DEFAULT));
            try (Session session = documents.connect();
                    Session other = documents.connect()) {
                session.write(List.of(change("a", 0, 1), change("b", 0, 1)), NEVER);
                // Whoever reads again finds a version that is neither the old one nor this client's.
                before = sql -> {
                    if (sql.startsWith("SELECT c.clock")) {
                        before = none -> {};
                        assertThat(other.write(List.of(change("a", 2, 3)), NEVER))
                                .containsExactly("a");
                    }
                };
                assertThat(session.write(List.of(change("a", 1, 2), change("b", 7, 8)), NEVER))
                        .as(url)
                        .containsExactly("a");
            }
        }
    }
}
