package io.belay.spring;

import io.belay.Belay;
import io.belay.Lease;
import java.util.List;
import org.awaitility.Awaitility;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A bean whose methods take locks, and call those of another that begin transactions, in each way that there is. */
public class Shop {
    private final Belay belay;
    private final Ledger ledger;
    private final PlatformTransactionManager manager;

    public Shop(Belay belay, Ledger ledger, PlatformTransactionManager manager) {
        this.belay = belay;
        this.ledger = ledger;
        this.manager = manager;
    }

    /** Loses a lock that the thread holds by the annotation: an operator takes it away. */
    static void lose(Belay belay, String name) {
        List<Lease> leases = CurrentLease.all();
        belay.forceRelease(name);
        Awaitility.await()
                .until(() -> leases.stream()
                        .filter(lease -> lease.name().equals(name))
                        .noneMatch(Lease::isHeld));
    }

    void lose() {
        lose(belay, "shop");
    }

    @Locked("shop")
    public void facade() {
        ledger.write(this::lose);
    }

    @Locked("shop")
    @Transactional
    public void inAnother() {
        ledger.writeApart(this::lose);
    }

    @Locked("shop")
    public void template() {
        new TransactionTemplate(manager).executeWithoutResult(status -> ledger.insert(this::lose));
    }

    @Locked("shop")
    public void byHand() {
        TransactionStatus status = manager.getTransaction(null);
        ledger.insert(this::lose);
        manager.commit(status);
    }

    @Locked("shop")
    public void beforeCommit() {
        ledger.write(() -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                lose();
            }
        }));
    }

    @Locked("shop")
    public void inner(Shop proxy) {
        proxy.other();
    }

    @Locked("other")
    @Transactional
    public void other() {
        ledger.insert(() -> belay.forceRelease("shop"));
        Awaitility.await().until(() -> belay.holds().size() == 1);
    }

    @Locked("shop")
    public void audit() {
        lose();
        ledger.audit();
    }

    @Locked("shop")
    public void afterwards() {
        ledger.write(() -> {});
        lose();
    }

    @Locked("shop")
    public void calm() {
        ledger.write(() -> {});
    }

    @Locked("shop")
    @Transactional
    public void nested() {
        ledger.insert(() -> {});
        ledger.writeApart(() -> {});
        ledger.writeApart(() -> {});
    }

    /** What begins transactions and knows nothing of locks. */
    public static class Ledger {
        private final JdbcTemplate jdbc;

        public Ledger(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        void insert(Runnable before) {
            before.run();
            jdbc.update("INSERT INTO sold VALUES (1)");
        }

        @Transactional
        public void write(Runnable before) {
            insert(before);
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void writeApart(Runnable before) {
            insert(before);
        }

        @Unguarded
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void audit() {
            insert(() -> {});
        }

        int sold() {
            return jdbc.queryForObject("SELECT count(*) FROM sold", Integer.class);
        }
    }
}
