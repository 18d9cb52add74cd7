package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.BelayAdmin;
import io.belay.document.Documents.Change;
import io.belay.document.Documents.Session;
import io.belay.spi.StoreException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is longer than its column comes to no database. */
class NameBytesTest {
    /** MySQL would cut it, so that two locks were one. */
    @Test
    void aNameThatIsLongerThanItsColumnIsRefused() {
        String url = "jdbc:h2:mem:names;DB_CLOSE_DELAY=-1";
        BelayAdmin.prepare(url);
        JdbcDocuments documents = new JdbcDocuments(Connections.of(JdbcUrl.parse(url)));
        String name = "x".repeat(513);
        try (Session session = documents.connect()) {
            for (Runnable use : List.<Runnable>of(
                    () -> session.read(List.of(name)),
                    () -> session.write(List.of(change(name, 0)), Long.MAX_VALUE),
                    () -> session.write(List.of(change(name, 1)), Long.MAX_VALUE),
                    () -> session.reserve(name, -2, -1))) {
                assertThatThrownBy(use::run)
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("has at most 512 bytes, and not 513");
            }
        }
    }

    private static Change change(String name, long before) {
        return new Change(name, before, before + 1, new byte[] {1}, Long.MAX_VALUE);
    }
}
