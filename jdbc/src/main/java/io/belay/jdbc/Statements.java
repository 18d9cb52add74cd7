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
        return new Statements(
                new Template(dialect.sql("read", settings.table(), settings.fence())),
                dialect.tellsWhich() ? new Template(dialect.sql("update", settings.table(), settings.fence())) : null,
                dialect.sql("replace", settings.table(), settings.fence()),
                dialect.sql(dialect.tellsWhich() ? "replace" : "skip", settings.table(), settings.fence()),
                dialect.sql("reserve", settings.table(), settings.fence()),
                new Template(dialect.sql("insert", settings.table(), settings.fence())),
                dialect.sql("sweep", settings.table(), settings.fence()),
                dialect.sql("names", settings.table(), settings.fence())
                        .replace("{page}", Integer.toString(NameRange.PAGE)));
    }
}
