package io.belay.jdbc;

/**
 * The statements of one database, with the tables named.
 *
 * @param update changes any number of resources
 * @param replace changes one, which is most often all there is, and several times as quick
 */
record Statements(Template read, Template update, String replace, Template insert, String sweep) {
    static Statements of(Dialect dialect, Settings settings) {
        return new Statements(
                new Template(dialect.sql("read", settings.table(), settings.fence())),
                new Template(dialect.sql("update", settings.table(), settings.fence())),
                dialect.sql("replace", settings.table(), settings.fence()),
                new Template(dialect.sql("insert", settings.table(), settings.fence())),
                dialect.sql("sweep", settings.table(), settings.fence()));
    }
}
