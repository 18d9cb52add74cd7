package io.belay.jdbc;

import io.belay.StoreMisconfiguredException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A kind of database that can keep a fence: those that keep locks, and some more. Its statements are resources, in a
 * directory that has its name.
 */
enum FenceDialect {
    POSTGRESQL("postgresql"),
    /**
     * MySQL and MariaDB, whose upsert counts 2 for a row that it has changed, and 1 for one that it has made or left
     * as it is.
     */
    MYSQL(2, "mysql", "mariadb"),
    H2("h2", 23_505),
    SQLITE("sqlite"),
    /** Oracle, whose statements were not tried. */
    ORACLE("oracle", 1),
    /** SQL Server, whose statements were not tried. */
    SQLSERVER("microsoft sql server", 2601, 2627),
    /** DB2, whose statements were not tried. */
    DB2("db2", -803);

    private final Set<String> products;
    private final Set<Integer> duplicates;
    private final int raised;
    private final Map<String, String> texts = new ConcurrentHashMap<>();

    FenceDialect(String product, Integer... duplicates) {
        products = Set.of(product);
        this.duplicates = Set.of(duplicates);
        raised = 1;
    }

    FenceDialect(int raised, String... products) {
        this.products = Set.of(products);
        duplicates = Set.of();
        this.raised = raised;
    }

    static FenceDialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        String name = product.toLowerCase(Locale.ROOT);
        for (FenceDialect dialect : values()) {
            if (dialect.products.stream().anyMatch(name::contains)) {
                return dialect;
            }
        }
        throw new StoreMisconfiguredException(
                "a fence has no statements for " + product
                        + "; it knows PostgreSQL, MySQL, MariaDB, H2, SQLite, Oracle, SQL Server and DB2",
                null);
    }

    /** Returns whether the count of {@code raise.sql} says by itself that the token was not refused. */
    boolean isRaised(int count) {
        return count >= raised;
    }

    /** Returns whether another transaction made the row in the midst of {@code raise.sql}, which did nothing. */
    boolean isDuplicate(SQLException e) {
        return duplicates.contains(e.getErrorCode());
    }

    /** Returns whether a statement failed as there is no such table. */
    boolean isMissingTable(SQLException e) {
        return switch (this) {
            case ORACLE -> e.getErrorCode() == 942;
            case SQLSERVER -> e.getErrorCode() == 208;
            case DB2 -> e.getErrorCode() == -204;
            case POSTGRESQL, MYSQL, H2, SQLITE -> Failures.isMissingTable(e);
        };
    }

    /** Returns how the table is made: where no locks are kept no command knows the database. */
    String toMake(String table) {
        return switch (this) {
            case ORACLE -> "CREATE TABLE " + table + " (name RAW(512) PRIMARY KEY, token NUMBER(19) NOT NULL)";
            case SQLSERVER, DB2 ->
                "CREATE TABLE " + table + " (name VARBINARY(512) NOT NULL PRIMARY KEY, token BIGINT NOT NULL)";
            case POSTGRESQL, MYSQL, H2, SQLITE ->
                "make it with 'belay schema --store URL --create', or with what that prints without --create";
        };
    }

    /** Returns the text of one of the statements, with the table named. */
    String sql(String name, String table) {
        return texts.computeIfAbsent(
                name + " " + table, any -> Dialect.sql(name().toLowerCase(Locale.ROOT), name, table, table));
    }
}
