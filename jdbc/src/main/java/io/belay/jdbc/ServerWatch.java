package io.belay.jdbc;

import io.belay.server.ClientVersion;
import io.belay.server.ClockSamples;
import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A look at a database server while it runs: its clock, its replicas and its clients. Takes a refusal for an answer. */
final class ServerWatch {
    private static final Duration SPAN = Duration.ofSeconds(1);

    private static final String LOOK = "Look yourself.";

    /** The longest that a replica may be behind, in seconds. */
    private static final long SOON = 1;

    /** MySQL: it does not understand a statement. */
    private static final int SYNTAX_ERROR = 1064;

    private final Connection connection;
    private final Connections source;
    private final List<Finding> findings = new ArrayList<>();

    private ServerWatch(Connection connection, Connections source) {
        this.connection = connection;
        this.source = source;
    }

    private interface Look {
        void take() throws SQLException;
    }

    static List<Finding> of(Connection connection, Connections source) {
        ServerWatch watch = new ServerWatch(connection, source);
        switch (source.dialect()) {
            case POSTGRESQL -> {
                watch.unlessRefused("how far replicas are behind", LOOK, watch::replicas);
                watch.unlessRefused("the versions of clients", LOOK, watch::clients);
                watch.unlessRefused("the clock", LOOK, watch::clock);
            }
            case MYSQL -> {
                watch.unlessRefused(
                        "whether the server is itself a replica",
                        "Grant the user REPLICATION CLIENT, with MariaDB REPLICA MONITOR, or look yourself.",
                        watch::source);
                watch.unlessRefused("whether the connection is encrypted", LOOK, watch::encryption);
                watch.unlessRefused("the clock", LOOK, watch::clock);
            }
            case H2, SQLITE -> {
                // They run by the clock of their process, and have neither replicas nor names of clients.
            }
        }
        return watch.findings;
    }

    private String sql(String name) {
        return source.dialect()
                .sql(name, source.settings().table(), source.settings().fence());
    }

    /** Looks, and notes a refusal: a user may lack the right, and what talks as a server does may not know the question. */
    private void unlessRefused(String what, String cure, Look look) {
        try {
            look.take();
        } catch (SQLException e) {
            findings.add(Finding.of(
                    Severity.NOTE,
                    "not seen",
                    "The server does not tell this user " + what + ", so that has not been looked at.",
                    cure));
        }
    }

    private void replicas() throws SQLException {
        findings.addAll(Examination.rows(connection, sql("replicas")));
    }

    private void clock() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            String sql = sql("clock");
            ClockSamples.Question<SQLException> question = () -> {
                try (ResultSet time = statement.executeQuery(sql)) {
                    time.next();
                    return time.getLong(1);
                }
            };
            findings.addAll(
                    ClockSamples.take(question, Duration.ofNanos(1000), SPAN).findings());
        }
    }

    private void clients() throws SQLException {
        List<String> labels = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql("clients"))) {
            while (rows.next()) {
                labels.add(rows.getString(1));
            }
        }
        ClientVersion.others(labels).ifPresent(findings::add);
    }

    private void encryption() throws SQLException {
        if (JdbcUrl.isLocal(connection.getMetaData().getURL())) {
            return;
        }
        try (Statement statement = connection.createStatement();
                ResultSet cipher = statement.executeQuery(sql("cipher"))) {
            if (cipher.next() && cipher.getString(2).isEmpty()) {
                findings.add(Finding.of(
                        Severity.WARNING,
                        "encryption",
                        "The connection is not encrypted, so whoever can listen or tamper on the way can see and break"
                                + " locks.",
                        "Turn on TLS in the server, and add sslMode=VERIFY_IDENTITY to the URL."));
            }
        }
    }

    /** Looks whether the server is itself a replica, which may be written to all the same. */
    private void source() throws SQLException {
        try {
            source(sql("replicas"));
        } catch (SQLException e) {
            if (e.getErrorCode() != SYNTAX_ERROR) {
                throw e;
            }
            source("SHOW SLAVE STATUS"); // MySQL before 8.0.22 knows no other name
        }
    }

    private void source(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet status = statement.executeQuery(sql)) {
            while (status.next()) {
                String host = status.getString(column(status, "_Host"));
                long seconds = status.getLong(column(status, "Seconds_Behind_"));
                replicaOf(host, status.wasNull() ? -1 : seconds);
            }
        }
    }

    /** Returns the column of that name, in which MySQL says Source and MariaDB says Master. */
    private static int column(ResultSet status, String part) throws SQLException {
        for (int i = 1; i <= status.getMetaData().getColumnCount(); i++) {
            if (status.getMetaData().getColumnLabel(i).contains(part)) {
                return i;
            }
        }
        throw new SQLException("no column " + part);
    }

    private void replicaOf(String host, long seconds) {
        findings.add(Finding.of(
                Severity.WARNING,
                "replicas",
                "The server is a replica of " + host
                        + (seconds < 0
                                ? ", which it does not follow now"
                                : seconds > SOON ? ", " + seconds + " s behind" : "")
                        + ": whoever takes locks there and whoever takes them at " + host + " do not see each other.",
                "Give all clients the same server, the one that is written to."));
    }
}
