package orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spring.boot.test.AutoConfigureTestLocks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;

/** The application with its locks and its database in memory. */
@Tag("long")
@SpringBootTest
@AutoConfigureTestLocks
class OrdersTest {
    private static final int PIECES = 40;

    @Autowired
    private Orders orders;

    @Autowired
    private Checkout checkout;

    @Autowired
    private JdbcTemplate jdbc;

    @Test
    void noPieceIsSoldTwice() throws Exception {
        jdbc.update("INSERT INTO stock VALUES ('iphone', ?)", PIECES);
        List<Callable<Integer>> buyers = new ArrayList<>();
        for (int i = 0; i < PIECES; i++) {
            buyers.add(() -> orders.sell("iphone"));
        }
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Integer> sold = new ArrayList<>();
            for (Future<Integer> order : threads.invokeAll(buyers)) {
                sold.add(order.get());
            }
            assertThat(sold).doesNotHaveDuplicates().doesNotContain(0);
        } finally {
            threads.shutdown();
        }
        assertThat(orders.sell("iphone")).isZero();
    }

    @Test
    void aLockInsideATransactionIsRefused() {
        assertThatThrownBy(() -> checkout.buy("iphone")).hasMessageContaining("was called inside a transaction");
    }
}
