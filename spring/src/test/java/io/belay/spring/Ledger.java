package io.belay.spring;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.EntityTransaction;
import jakarta.persistence.Id;
import jakarta.persistence.PostPersist;
import jakarta.persistence.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** The pieces that are sold, as rows of a table. Knows nothing of locks, and begins no transaction unless it says so. */
interface Ledger {
    AtomicLong NEXT = new AtomicLong();
    String TABLE = "CREATE TABLE sold (piece BIGINT PRIMARY KEY)";

    /** Writes a piece; JPA keeps it back until it flushes. */
    void write();

    /** Writes a piece at once, whatever the transaction says of itself. */
    void writeNow();

    /** Writes a piece in a transaction that is begun and committed past Spring's. */
    void writeByHand(Runnable point);

    /** Has something done when the next piece is written by a flush. */
    void atFlush(Runnable point);

    /** By JDBC. */
    final class OfJdbc implements Ledger {
        private final JdbcTemplate jdbc;

        OfJdbc(DataSource source) {
            jdbc = new JdbcTemplate(source);
        }

        @Override
        public void write() {
            jdbc.update("INSERT INTO sold VALUES (?)", NEXT.incrementAndGet());
        }

        @Override
        public void writeNow() {
            write();
        }

        @Override
        public void writeByHand(Runnable point) {
            try (Connection connection = jdbc.getDataSource().getConnection()) {
                connection.setAutoCommit(false);
                connection.createStatement().executeUpdate("INSERT INTO sold VALUES (" + NEXT.incrementAndGet() + ")");
                point.run();
                connection.commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void atFlush(Runnable point) {
            throw new UnsupportedOperationException();
        }
    }

    /** By JPA. */
    final class OfJpa implements Ledger {
        private final EntityManagerFactory factory;
        private final EntityManager shared;

        OfJpa(EntityManagerFactory factory, EntityManager shared) {
            this.factory = factory;
            this.shared = shared;
        }

        @Override
        public void write() {
            shared.persist(new Piece(NEXT.incrementAndGet()));
        }

        @Override
        public void writeNow() {
            shared.createNativeQuery("INSERT INTO sold VALUES (" + NEXT.incrementAndGet() + ")")
                    .executeUpdate();
        }

        @Override
        public void writeByHand(Runnable point) {
            try (EntityManager own = factory.createEntityManager()) {
                EntityTransaction transaction = own.getTransaction();
                transaction.begin();
                own.persist(new Piece(NEXT.incrementAndGet()));
                point.run();
                transaction.commit();
            }
        }

        @Override
        public void atFlush(Runnable point) {
            Piece.atFlush = point;
        }
    }

    /** A piece that is sold. */
    @Entity
    @Table(name = "sold")
    class Piece {
        private static volatile Runnable atFlush = () -> {};

        @Id
        private long piece;

        Piece() {}

        Piece(long piece) {
            this.piece = piece;
        }

        @PostPersist
        void written() {
            Runnable now = atFlush;
            atFlush = () -> {};
            now.run();
        }
    }
}
