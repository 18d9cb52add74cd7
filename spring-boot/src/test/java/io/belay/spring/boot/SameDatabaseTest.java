package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.servers.Pace;
import io.belay.support.Log;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessResourceFailureException;

/** Whether two URLs lead to one database. */
@ExtendWith(OutputCaptureExtension.class)
class SameDatabaseTest {
    /** Returns a connection that says that it has that URL. */
    private static Connection connection(Callable<String> url) {
        DatabaseMetaData told = proxy(DatabaseMetaData.class, (it, method, arguments) -> url.call());
        return proxy(Connection.class, (it, method, arguments) -> told);
    }

    private static boolean areOne(String locks, String theirs) {
        return new SameDatabase(locks).test(connection(() -> theirs));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://db:5432/x, jdbc:postgresql://db/x",
        "jdbc:postgresql://db/x?user=a, jdbc:postgresql://db:5432/x",
        "'jdbc:postgresql://one:5432,two:5432/x', 'jdbc:postgresql://one,two/x'",
        "jdbc:mysql://a:b@db/x, jdbc:mysql://db:3306/x",
        "jdbc:mariadb://db:3306/x?belay-create=true, jdbc:mariadb://DB/x",
        "jdbc:mysql://db/x, jdbc:mariadb://db:3306/x",
        "jdbc:h2:mem:x;belay-create=true, jdbc:h2:mem:x",
        "JDBC:H2:tcp://DB/~/X, jdbc:h2:tcp://db/~/X",
        "jdbc:sqlserver://DB;databaseName=X, jdbc:sqlserver://db;databaseName=x",
        "jdbc:sqlserver://db:1433;user=a;databaseName=x, jdbc:sqlserver://db;DatabaseName=x;encrypt=true",
    })
    void urlsOfOnePlaceAreOne(String locks, String theirs) {
        assertThat(areOne(locks, theirs)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://db:5432/x, jdbc:postgresql://db:5433/x",
        "jdbc:postgresql://db:54321/x, jdbc:postgresql://db/x",
        "jdbc:postgresql://db:3306/x, jdbc:postgresql://db/x",
        "jdbc:postgresql://db/x, jdbc:postgresql://db/y",
        "jdbc:postgresql://db/Shop, jdbc:postgresql://db/shop",
        "jdbc:sqlite:/data/Shop, jdbc:sqlite:/data/shop",
        "jdbc:postgresql://db/x, jdbc:mysql://db/x",
        "jdbc:h2:mem:x, jdbc:h2:mem:y",
        "jdbc:sqlserver://db;databaseName=x, jdbc:sqlserver://db;databaseName=y",
        "jdbc:sqlserver://db;databaseName=x, jdbc:sqlserver://db",
    })
    void urlsOfTwoPlacesAreTwo(String locks, String theirs) {
        assertThat(areOne(locks, theirs)).isFalse();
    }

    /** It is not known then, and what is committed without its fence cannot be taken back. */
    @Test
    void aTransactionOfADatabaseThatDoesNotTellItsUrlIsRefusedAndTheNextOneAsksAgain() {
        AtomicInteger asked = new AtomicInteger();
        SameDatabase same = new SameDatabase("jdbc:postgresql://db/x");
        Connection connection = connection(() -> {
            if (asked.getAndIncrement() == 0) {
                throw new SQLException("the connection is broken");
            }
            return "jdbc:postgresql://db/x";
        });
        assertThatThrownBy(() -> same.test(connection))
                .isInstanceOf(DataAccessResourceFailureException.class)
                .hasRootCauseMessage("the connection is broken");
        assertThat(same.test(connection)).isTrue();
        assertThat(same.test(connection)).isTrue();
        assertThat(asked).hasValue(2);
    }

    @Test
    void whereTheUrlsDifferALineSaysThatItCannotBeToldForSureAndWhatForcesTheFence(CapturedOutput lines) {
        areOne("jdbc:postgresql://a:sec?secret@db/x?password=secret", "jdbc:postgresql://10.0.0.1/x");
        Log.flush(Pace.patience());
        assertThat(lines)
                .contains("jdbc:postgresql://db/x")
                .contains("jdbc:postgresql://10.0.0.1/x")
                .contains("cannot be told for sure")
                .contains("a bean of the type SqlFence")
                .doesNotContain("secret");
    }
}
