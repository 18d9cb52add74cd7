package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.h2.tools.SimpleResultSet;
import org.junit.jupiter.api.Test;

class MySqlSessionsTest {
    private static final String MINE = "10.0.0.9:4711";
    private static final Row OWN = new Row(9, "belay", MINE, "Sleep", "");
    private static final Row COMMIT = new Row(9, "belay", MINE, "Query", "Waiting for semi-sync ACK from slave");
    private static final Row NEXT = new Row(12, "belay", "10.0.0.9:4712", "Query", "starting");

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // a clock that wraps
    private final MySqlSessions sessions = new MySqlSessions(Settings.DEFAULT, now::get);
    private int looks;

    private record Row(long id, String user, String host, String command, String state, long time) {
        /** Of a session that is at it for long. */
        Row(long id, String user, String host, String command, String state) {
            this(id, user, host, command, state, Integer.MAX_VALUE);
        }
    }

    /** A connection to a stand-in of a server, or of ProxySQL before it, which gives the number of its own for that question alone. */
    private Connection connection(String server, long number, Supplier<List<Row>> list) {
        Statement statement = StandIn.of(Statement.class, (method, query) -> {
            SimpleResultSet result = new SimpleResultSet();
            result.addColumn("Id", Types.BIGINT, 0, 0);
            if (query.equals("SHOW PROCESSLIST")) {
                looks++;
                now.addAndGet(Duration.ofMillis(100).toNanos());
                for (String name : List.of("User", "Host", "Command", "State")) {
                    result.addColumn(name, Types.VARCHAR, 0, 0);
                }
                result.addColumn("Time", Types.BIGINT, 0, 0);
                list.get().forEach(row -> result.addRow(row.id, row.user, row.host, row.command, row.state, row.time));
            } else {
                result.addColumn("server", Types.VARCHAR, 0, 0);
                result.addRow(query.equals("SELECT CONNECTION_ID()") ? 1_000_000 : number, server);
            }
            return result;
        });
        return StandIn.of(Connection.class, (method, text) -> statement);
    }

    private void endAt(String server, boolean sound) throws SQLException {
        Connection former = connection(server, 9, () -> List.of(OWN));
        sessions.add(former);
        sessions.ended(former, sound);
        looks = 0;
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void isWaitedForWhereItMayWaitForARow() throws Exception {
        endAt("a", false);
        sessions.add(connection("a", 12, () -> looks < 12 ? List.of(COMMIT, NEXT) : List.of(NEXT)));
        assertThat(looks).isEqualTo(12);
    }

    @Test
    void isToldWhenItIsBusyForLonger() throws Exception {
        endAt("a", false);
        pass(Duration.ofDays(1));
        assertThatThrownBy(() -> sessions.add(connection("a", 12, () -> List.of(COMMIT, NEXT))))
                .isInstanceOf(SQLTransientConnectionException.class)
                .hasMessage("no further connection is made while session 9 of an earlier one is busy there (Waiting for"
                        + " semi-sync ACK from slave): see what SHOW PROCESSLIST tells of it");
        assertThat(looks).isOne();
        Row killed = new Row(9, "belay", MINE, "Killed", null);
        assertThatThrownBy(() -> sessions.add(connection("a", 12, () -> List.of(killed, NEXT))))
                .hasMessage("no further connection is made while session 9 of an earlier one is busy there:"
                        + " see what SHOW PROCESSLIST tells of it");
        sessions.add(connection("a", 12, () -> List.of(OWN, NEXT)));
        looks = 0;
        sessions.add(connection("a", 12, () -> List.of(COMMIT, NEXT)));
        assertThat(looks).as("once it was idle it is not its own any more").isOne();
    }

    @Test
    void isNotWaitedForIfItEndedInOrder() throws Exception {
        endAt("a", true);
        sessions.add(connection("a", 12, () -> List.of(COMMIT, NEXT)));
        assertThat(looks).isOne();
    }

    /** Each counts from one, and shows its own threads to who may see them. */
    @Test
    void ofAnotherServerOthersHaveThatNumber() throws Exception {
        Row scheduler = new Row(9, "event_scheduler", "localhost", "Daemon", "Waiting on empty queue");
        Row replica = new Row(9, "belay", "10.0.0.7:4711", "Binlog Dump GTID", "Source has sent all binlog to replica");
        for (Row other : List.of(scheduler, replica, COMMIT)) {
            endAt("a", false);
            pass(Duration.ofDays(1));
            sessions.add(connection("b", 12, () -> List.of(other, NEXT)));
            assertThat(looks).as("%s", other).isOne();
        }
    }

    @Test
    void ofTheSameServerAnotherHasThatNumberAfterItsRestart() throws Exception {
        endAt("a", false);
        Row other = new Row(9, "belay", "10.0.0.9:5000", "Query", "Sending data");
        sessions.add(connection("a", 12, () -> List.of(other, NEXT)));
        assertThat(looks).isOne();
    }

    /** ProxySQL goes on with its connection to the server when that of its client has ended. */
    @Test
    void whatAPoolerHasLentToOthersSinceIsNotWaitedFor() throws Exception {
        endAt("a", false);
        pass(Duration.ofDays(1));
        Row lent = new Row(9, "belay", MINE, "Query", "Sending data", 3_600);
        sessions.add(connection("a", 12, () -> List.of(lent, NEXT)));
        assertThat(looks).isOne();
    }

    /** As it was never told by whom it is served. */
    @Test
    void whatIsNotListedIsNotWaitedFor() throws Exception {
        Connection former = connection("a", 9, List::of);
        sessions.add(former);
        sessions.ended(former, false);
        sessions.add(connection("a", 12, () -> List.of(COMMIT, NEXT)));
        assertThat(looks).isEqualTo(2);
    }
}
