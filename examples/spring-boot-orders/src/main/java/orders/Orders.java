package orders;

import io.belay.spring.Locked;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Sells pieces. It reads the stock and writes it back, which only a lock makes right. */
@Service
public class Orders {
    private final JdbcTemplate jdbc;

    Orders(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Sells a piece; returns its number, or 0 if there is none left. */
    @Locked("stock:#{#sku}")
    @Transactional
    public int sell(String sku) {
        Integer left = jdbc.queryForObject("SELECT pieces FROM stock WHERE sku = ?", Integer.class, sku);
        if (left == null || left == 0) {
            return 0;
        }
        jdbc.update("INSERT INTO orders (sku, piece) VALUES (?, ?)", sku, left);
        jdbc.update("UPDATE stock SET pieces = ? WHERE sku = ?", left - 1, sku);
        return left;
    }
}
