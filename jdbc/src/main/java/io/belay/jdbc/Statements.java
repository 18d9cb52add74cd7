package io.belay.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * The statements of one database, with the tables named.
 *
 * @param update changes any number of resources and says which; null where the database cannot say that
 * @param replace changes one resource, which is most often all there is, and is several times as quick
 * @param skip the same for one of several, where there is no update: without those that somebody keeps locked
 */
record Statements(
        Template read,
        @Nullable Template update,
        String replace,
        String skip,
        String reserve,
        Template insert,
        String sweep,
        String names) {
    static Statements of(Dialect dialect, Settings settings) {
        return of(dialect, settings.table(), settings.fence());
    }

    static Statements of(Dialect dialect, String table, String fence) {
        return new Statements(
                new Template(dialect.sql("read", table, fence)),
                dialect.tellsWhich() ? new Template(dialect.sql("update", table, fence)) : null,
                dialect.sql("replace", table, fence),
                dialect.sql(dialect.tellsWhich() ? "replace" : "skip", table, fence),
                dialect.sql("reserve", table, fence),
                new Template(dialect.sql("insert", table, fence)),
                dialect.sql("sweep", table, fence),
                dialect.sql("names", table, fence).replace("{page}", Integer.toString(NameRange.PAGE)));
    }
}
