package io.belay.flashsale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.servers.PostgresServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three instances of the example {@code spring-boot-orders}, as users run it, of which one is stopped for longer than its lease and
 * one is killed.
 */
@Tag("long")
@Tag("processes")
class OrdersExampleTest {
    private static final int PIECES = 1_500;
    private static final int BUYERS = 12;

    private final List<OrdersInstance> instances = new ArrayList<>();
    private PostgresServer database;

    @TempDir
    private Path logs;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        assumeTrue(Files.exists(OrdersInstance.JAR), "the example is not built");
        database = PostgresServer.start();
        for (int i = 0; i < 3; i++) {
            instances.add(OrdersInstance.start(database.url(), logs.resolve("instance-" + i), i == 2));
        }
        for (OrdersInstance instance : instances) {
            instance.awaitStart();
        }
        run("INSERT INTO stock VALUES ('iphone', " + PIECES + ")");
    }

    @AfterEach
    void end() {
        instances.forEach(OrdersInstance::close);
        if (database != null) {
            database.close();
        }
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private int count(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    /** Buys from one instance after the other until nothing is left; returns how many pieces it was told to have. */
    private int buy(int first) throws InterruptedException {
        int bought = 0;
        for (int i = first; ; i++) {
            try {
                HttpResponse<String> answer =
                        instances.get(i % instances.size()).post("/orders/iphone");
                if (answer.statusCode() == 200 && answer.body().equals("0")) {
                    return bought;
                } else if (answer.statusCode() == 200) {
                    bought++;
                }
            } catch (IOException e) {
                // It is stopped or killed, and nobody knows what became of the order.
            }
        }
    }

    @Test
    void nothingIsLostAndNothingIsSoldTwice() throws Exception {
        HttpResponse<String> refused = instances.get(0).post("/checkout/iphone");
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body())
                .contains("Orders.sell is @Locked and was called inside a transaction")
                .contains("put @Locked on the method that begins the transaction");

        ExecutorService buyers = Executors.newFixedThreadPool(BUYERS);
        try {
            List<Future<Integer>> sales = new ArrayList<>();
            for (int i = 0; i < BUYERS; i++) {
                int first = i;
                sales.add(buyers.submit((Callable<Integer>) () -> buy(first)));
            }
            awaitSold(PIECES / 10);
            instances.get(0).signal("STOP");
            TimeUnit.MILLISECONDS.sleep(Duration.ofSeconds(5).toMillis());
            instances.get(0).signal("CONT");
            awaitSold(PIECES / 3);
            instances.get(1).signal("KILL");
            int told = 0;
            for (Future<Integer> sale : sales) {
                told += sale.get();
            }
            assertThat(count("SELECT pieces FROM stock")).isZero();
            assertThat(count("SELECT COUNT(*) FROM orders")).isEqualTo(PIECES);
            assertThat(count("SELECT COUNT(DISTINCT piece) FROM orders")).isEqualTo(PIECES);
            assertThat(told).isBetween(PIECES - 2 * BUYERS, PIECES);
        } finally {
            buyers.shutdownNow();
        }
    }

    private void awaitSold(int pieces) throws Exception {
        while (count("SELECT COUNT(*) FROM orders") < pieces) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
