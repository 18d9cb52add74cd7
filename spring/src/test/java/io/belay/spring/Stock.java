package io.belay.spring;

import io.belay.BelayAdmin;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Duration;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** A stock of pieces that are sold one by one: a facade with a lock before a service with a transaction. */
final class Stock {
    static final Duration LEASE = Duration.ofSeconds(2);

    private Stock() {}

    /** The points of a sale at which its process may be stopped. */
    enum Point {
        BEFORE_FENCE,
        BEFORE_READ,
        AFTER_READ,
        AFTER_LOOK,
        IN_COMMIT
    }

    /** What is done at the points of a sale. */
    @FunctionalInterface
    interface Points {
        void at(Point point);
    }

    /** What the pieces and the sales are written to. */
    interface Books {
        int left();

        void sell(int left);
    }

    /** Takes the lock. */
    public static class Facade {
        private final Service service;

        Facade(Service service) {
            this.service = service;
        }

        @Locked("stock")
        public boolean sell() {
            return service.sell();
        }
    }

    /** Begins the transaction. */
    public static class Service {
        private final Books books;
        private final Points points;

        Service(Books books, Points points) {
            this.books = books;
            this.points = points;
        }

        /** Returns whether a piece was left to be sold. */
        @Transactional
        public boolean sell() {
            points.at(Point.BEFORE_READ);
            int left = books.left();
            points.at(Point.AFTER_READ);
            if (left > 0) {
                books.sell(left - 1);
            }
            return left > 0;
        }
    }

    /** By JDBC. */
    record ByJdbc(JdbcTemplate jdbc) implements Books {
        @Override
        public int left() {
            return jdbc.queryForObject("SELECT pieces FROM stock", Integer.class);
        }

        @Override
        public void sell(int left) {
            jdbc.update("UPDATE stock SET pieces = ?", left);
            jdbc.update("INSERT INTO sale VALUES (?)", UUID.randomUUID().toString());
        }
    }

    /** By JPA, which writes nothing before it flushes. */
    record ByJpa(EntityManager entities) implements Books {
        @Override
        public int left() {
            return entities.find(Item.class, 1).pieces;
        }

        @Override
        public void sell(int left) {
            entities.find(Item.class, 1).pieces = left;
            entities.persist(new Sold(UUID.randomUUID().toString()));
        }
    }

    /** What is in stock. */
    @Entity
    @Table(name = "stock")
    static class Item {
        @Id
        private int id;

        private int pieces;
    }

    /** A sale. */
    @Entity
    @Table(name = "sale")
    static class Sold {
        @Id
        private String id;

        Sold() {}

        Sold(String id) {
            this.id = id;
        }
    }

    static void makeTables(String database) {
        BelayAdmin.prepare(database);
        JdbcTemplate jdbc = new JdbcTemplate(StockApplication.source(database, point -> {}));
        jdbc.execute("CREATE TABLE stock (id INT PRIMARY KEY, pieces INT)");
        jdbc.execute("CREATE TABLE sale (id VARCHAR(40) PRIMARY KEY)");
        jdbc.update("INSERT INTO stock VALUES (1, 1)");
    }
}
