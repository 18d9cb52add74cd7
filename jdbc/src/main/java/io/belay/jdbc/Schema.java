package io.belay.jdbc;

import io.belay.spi.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** The statements that make the tables. */
final class Schema {
    private static final String INDEX = "_forget";

    /** The longest name of an index, in characters: PostgreSQL cuts off what is longer. */
    private static final int LONGEST = 63;

    /** Of ten clients that make the same table at once each but one may be in another's way. */
    private static final int ATTEMPTS = 10;

    private static final String CREATE_INDEX = "CREATE INDEX";

    /**
     * What comes before that on PostgreSQL, in one transaction with it: while it waits for somebody's transaction all who write to
     * the table wait behind it, so it waits for 100 ms at most.
     */
    private static final String BRIEFLY = "SELECT set_config('lock_timeout', '100', true); ";

    private Schema() {}

    /** Returns the statements that make all tables, for people to read, with comments if they are for two files. */
    static String ddl(JdbcUrl url) {
        String locks = locks(url.dialect(), url.settings());
        String fence = fence(url.dialect(), url.settings());
        return url.guarded() == null
                ? locks + ";\n" + fence
                : "-- In the file of the locks, " + SqliteFiles.path(url.driver()) + ":\n" + locks
                        + ";\n-- In the file that is guarded, "
                        + SqliteFiles.path(url.guarded().driver()) + ":\n" + fence;
    }

    private static String locks(Dialect dialect, Settings settings) {
        String table = settings.table();
        String bare = table.substring(table.indexOf('.') + 1);
        String index = bare.substring(0, Math.min(bare.length(), LONGEST - INDEX.length())) + INDEX;
        return inParts(dialect.sql("schema", table, settings.fence()), table).replace("{index}", index);
    }

    /** Names a table's schema, with the dot, and what it is called there. */
    static String inParts(String sql, String table) {
        int dot = table.indexOf('.') + 1;
        return sql.replace("{schema}", table.substring(0, dot)).replace("{bare}", table.substring(dot));
    }

    private static String fence(Dialect dialect, Settings settings) {
        return dialect.sql("fence", settings.table(), settings.fence());
    }

    /**
     * Makes the tables that are not there, and checks that they can be used. If they cannot it begins again: a table that
     * somebody else makes may have been there for a moment only, as {@link #make} says.
     */
    static void create(Connections source, Runnable check) {
        for (int attempt = 1; ; attempt++) {
            create(source);
            try {
                check.run();
                return;
            } catch (StoreException e) {
                if (e.isTemporary() || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Makes the tables that are not there. */
    static void create(Connections source) {
        create(source, source.settings().table(), locks(source.dialect(), source.settings()));
        Connections guarded = source.guarded();
        create(guarded, source.settings().fence(), fence(source.dialect(), source.settings()));
        if (guarded != source) {
            guarded.close();
        }
    }

    /** Fails if the table of the guard has names as text, which databases take for other names, or for none. */
    static void checkFence(Connections source) {
        Connections guarded = source.guarded();
        String table = source.settings().fence();
        try {
            Connection connection = guarded.open();
            boolean text = hasText(connection, table);
            guarded.close(connection);
            if (text) {
                throw StoreException.unusable(withText(table), null);
            }
        } catch (SQLException e) {
            throw guarded.failures().of(e);
        } finally {
            if (guarded != source) {
                guarded.close();
            }
        }
    }

    private static boolean hasText(Connection connection, String table) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT name FROM " + table + " WHERE 1 = 0")) {
            return rows.getMetaData().getColumnType(1) == Types.VARCHAR;
        } catch (SQLException e) {
            return false; // who may not read it has locks all the same
        }
    }

    /** Returns the message to who has a table of the guard with names as text. */
    static String withText(String table) {
        return "the table " + table
                + " has the names of locks as text, as flash sales once made it, and not as bytes: drop it"
                + " while nobody has a lock that it guards, and make it anew with 'belay schema --store URL --create'";
    }

    private static void create(Connections source, String table, String statements) {
        try {
            Connection connection = source.open();
            try {
                make(source, connection, table, statements);
            } catch (RuntimeException e) {
                source.close(connection);
                throw e;
            }
            source.keep(connection);
        } catch (SQLException e) {
            throw source.failures().of(e);
        }
    }

    /** In H2 a table that another makes is there, and is gone again if that fails for what the other sees: so look. */
    private static void make(Connections source, Connection connection, String table, String statements) {
        boolean there = isThere(connection, table);
        for (int attempt = 0; attempt == 0 || (!there && attempt < ATTEMPTS); attempt++) {
            for (String statement : statements.split(";")) {
                String sql = statement.strip();
                if (sql.startsWith(CREATE_INDEX) ? !isIndexed(source, connection) : !there) {
                    create(source, connection, table, sql);
                }
            }
            there = there || isThere(connection, table);
        }
    }

    private static void create(Connections source, Connection connection, String table, String sql) {
        try {
            boolean briefly = source.dialect() == Dialect.POSTGRESQL && sql.startsWith(CREATE_INDEX);
            create(connection, briefly ? BRIEFLY + sql : sql);
        } catch (SQLException e) {
            throw source.failures().ofMaking(table, e, unread(connection, table));
        }
    }

    /**
     * Returns whether a table can be read: then nobody needs the right to make it, which some databases ask for all the same. One that
     * somebody has locked is there.
     */
    private static boolean isThere(Connection connection, String table) {
        SQLException why = unread(connection, table); // which is told by the attempt to make it
        return why == null || Failures.isLocked(why);
    }

    /** Returns why a table cannot be read; null if it can be. */
    private static @Nullable SQLException unread(Connection connection, String table) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1 FROM " + table + " WHERE 1 = 0");
            return null;
        } catch (SQLException e) {
            return e;
        }
    }

    /** Returns whether an index is there; asks PostgreSQL, which by itself looks only once it has locked out all who write. */
    private static boolean isIndexed(Connections source, Connection connection) {
        if (source.dialect() != Dialect.POSTGRESQL) {
            return false;
        }
        String sql = source.dialect()
                .sql("indexed", source.settings().table(), source.settings().fence());
        try (Statement statement = connection.createStatement();
                ResultSet index = statement.executeQuery(sql)) {
            return index.next();
        } catch (SQLException e) {
            return false; // as above
        }
    }

    private static void create(Connection connection, String sql) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
                return;
            } catch (SQLException e) {
                // Those who make the same table at the same time get in each other's way, in H2 by deadlocks again and
                // again.
                boolean isRolledBack = String.valueOf(e.getSQLState()).startsWith("40");
                if (attempt >= (isRolledBack ? ATTEMPTS : 2)) {
                    if (!sql.contains(CREATE_INDEX)) {
                        throw e;
                    }
                    return; // a table that somebody else owns does without its index
                }
            }
        }
    }
}
