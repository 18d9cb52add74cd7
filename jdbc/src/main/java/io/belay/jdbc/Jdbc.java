package io.belay.jdbc;

import io.belay.StoreMisconfiguredException;
import io.belay.document.DocumentStore;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.spi.StoreOpener;
import io.belay.support.UrlVariables;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * A SQL database to keep locks in. Immutable: each method named {@code with...} returns a changed copy.
 *
 * <pre>{@code
 * Belay belay = Belay.connect(Jdbc.in(dataSource), BelayOptions.defaults());
 * }</pre>
 *
 * <p>A URL is the driver's own, of PostgreSQL, MySQL, MariaDB, H2 or SQLite, whose driver must be on the class path.
 * These parameters in it are Belay's: {@code belay-table} (belay_lock), {@code belay-fence}, the table of a {@link
 * SqlFence} (belay_fence), {@code belay-timeout}, the longest to wait for the database (5s), {@code
 * belay-create=true} to have tables made that are not there, and the file of a database, and {@code belay-bell=false} for what speaks
 * PostgreSQL's protocol and has no {@code LISTEN}. With SQLite the locks are in a file of their own,
 * FILE.belay, unless {@code belay-own-file=false} says otherwise.
 *
 * <p>A client keeps two connections, and with PostgreSQL a third that listens. They are its own: none takes part in a
 * transaction of the user's. The client opens them beside a Hikari pool, with the pool's URL and settings; from
 * another pool, it borrows that many for as long as it is open, and gives them back as they were.
 */
public final class Jdbc implements StoreOpener {
    private final Function<Settings, Connections> source;
    private final Settings settings;

    private Jdbc(Function<Settings, Connections> source, Settings settings) {
        this.source = source;
        this.settings = settings;
    }

    /**
     * Returns a database by its URL.
     *
     * @param url may hold {@code ${NAME}} for the environment variable of that name
     * @throws StoreMisconfiguredException if Belay cannot take the URL
     */
    public static Jdbc at(String url) {
        Objects.requireNonNull(url, "url");
        return at(url, new Properties());
    }

    /**
     * Returns a database by its JDBC URL, with a user whom the URL does not name.
     *
     * @param url as for {@link #at(String)}
     * @throws StoreMisconfiguredException if Belay cannot take the URL
     */
    public static Jdbc at(String url, String user, String password) {
        Objects.requireNonNull(url, "url");
        Properties login = new Properties();
        login.setProperty("user", Objects.requireNonNull(user, "user"));
        login.setProperty("password", Objects.requireNonNull(password, "password"));
        return at(url, login);
    }

    private static Jdbc at(String url, Properties login) {
        return of(() -> {
            JdbcUrl parsed = JdbcUrl.parse(UrlVariables.expand(url));
            return new Jdbc(chosen -> Connections.of(parsed.openedBy(chosen), chosen, login), parsed.settings());
        });
    }

    /** Returns the database to which a source connects; closing the client does not close the source. */
    public static Jdbc in(DataSource dataSource) {
        Objects.requireNonNull(dataSource, "dataSource");
        return new Jdbc(chosen -> Connections.of(dataSource, chosen), Settings.DEFAULT);
    }

    private static Jdbc of(Supplier<Jdbc> parsed) {
        try {
            return parsed.get();
        } catch (StoreException | IllegalArgumentException e) {
            throw new StoreMisconfiguredException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns a copy with another table of locks, and a schema and a dot before it if it is not in the default one. */
    public Jdbc withTable(String table) {
        Objects.requireNonNull(table, "table");
        return with("table", table);
    }

    /** Returns a copy with another longest time to wait for the database, from 100 ms to 10 minutes. */
    public Jdbc withTimeout(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        return of(() -> new Jdbc(source, settings.withTimeout(timeout)));
    }

    /** Returns a copy that makes the tables that are not there; the database's user needs the right to make some. */
    public Jdbc withTablesMade() {
        return with("create", "true");
    }

    private Jdbc with(String parameter, String value) {
        return of(() -> new Jdbc(source, settings.with(parameter, value)));
    }

    @Override
    public Store open(long client, Store.Listener listener) {
        Objects.requireNonNull(listener, "listener");
        return open(source.apply(settings), client, listener);
    }

    static Store open(Connections source, long client, Store.Listener listener) {
        source.reserve();
        JdbcDocuments documents = new JdbcDocuments(source);
        try {
            if (source.settings().create()) {
                Schema.create(source, documents::check);
            } else {
                documents.check();
            }
        } catch (RuntimeException | Error e) {
            documents.close();
            throw e;
        }
        return new DocumentStore("belay-jdbc", documents, client, listener); // which closes them if it fails
    }
}
