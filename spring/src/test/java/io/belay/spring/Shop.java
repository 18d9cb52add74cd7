package io.belay.spring;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.spring.Locked.InTransaction;
import io.belay.spring.Locked.Mode;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** A bean whose methods take locks, and sell in transactions that begin in each way that there is. */
public class Shop {
    /** What is published in a transaction, to be done before or after its commit. */
    record Sold(boolean committed, Runnable point) {}

    private final Belay belay;
    private final Sales sales;
    private final Ledger ledger;
    private final PlatformTransactionManager manager;

    /** What is done while the lock is held, at the moment that matters: nothing, or the lock is lost. */
    private volatile Runnable point = () -> {};

    /** What is done after the last look at the lease. */
    private volatile Runnable afterLook = () -> {};

    /** What goes on when a method has returned. */
    private volatile CompletableFuture<Void> pending = CompletableFuture.completedFuture(null);

    Shop(Belay belay, Sales sales, Ledger ledger, PlatformTransactionManager manager) {
        this.belay = belay;
        this.sales = sales;
        this.ledger = ledger;
        this.manager = manager;
    }

    /** Loses a lock, which perhaps the thread holds by the annotation: an operator takes it away. */
    static void lose(Belay belay, String name) {
        List<Lease> leases = CurrentLease.all().stream()
                .filter(lease -> lease.name().equals(name))
                .toList();
        belay.admin().forceRelease(name);
        Awaitility.await()
                .until(() -> leases.isEmpty()
                        ? belay.admin().holds().stream()
                                .noneMatch(hold -> hold.name().equals(name))
                        : leases.stream().noneMatch(Lease::isHeld));
    }

    private void transact(Runnable body) {
        new TransactionTemplate(manager).executeWithoutResult(status -> body.run());
    }

    Runnable point() {
        return point;
    }

    void setPoint(Runnable point) {
        this.point = point;
    }

    CompletableFuture<Void> pending() {
        return pending;
    }

    /** Is called when the lease has been looked at for the last time, before the commit. */
    void runAfterLook() {
        Runnable now = afterLook;
        afterLook = () -> {};
        now.run();
    }

    void sell() {
        ledger.write();
        point.run();
    }

    @Locked("shop")
    @Transactional
    public void alone() {
        sell();
    }

    @Locked("shop")
    @Transactional
    public void aloneWith(Runnable body) {
        body.run();
    }

    @Locked("shop")
    public void facade() {
        sales.required(point);
    }

    @Locked("shop")
    @Transactional
    public void requiresNew() {
        sales.requiresNew(point);
    }

    @Locked("shop")
    @Transactional
    public void nested() {
        sales.nested(point);
    }

    @Locked("shop")
    @Transactional
    public void mandatory() {
        sales.mandatory(point);
    }

    @Locked("shop")
    @Transactional
    public void supports() {
        sales.supports(point);
    }

    @Locked("shop")
    public void supportsNothing() {
        sales.supports(point);
    }

    @Locked("shop")
    @Transactional
    public void notSupported() {
        sales.notSupported(point);
    }

    @Locked("shop")
    public void never() {
        sales.never(point);
    }

    @Locked("shop")
    public void without() {
        sales.without(point);
    }

    @Locked("shop")
    public void template() {
        transact(this::sell);
    }

    @Locked("shop")
    public void byHand() {
        TransactionStatus status = manager.getTransaction(null);
        sell();
        manager.commit(status);
    }

    @Locked("shop")
    public void pastSpring() {
        ledger.writeByHand(point);
    }

    @Locked("shop")
    public void work(Runnable work) {
        work.run();
    }

    @Locked("shop")
    public void inSynchronization() {
        sales.required(
                () -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        point.run();
                    }
                }));
    }

    @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT, condition = "!#sold.committed")
    public void beforeCommit(Sold sold) {
        sold.point.run();
    }

    @Locked("shop")
    public void inFlush() {
        ledger.atFlush(point);
        sales.required(() -> {});
    }

    @Locked("shop")
    public void checked() throws IOException {
        sales.checked(point);
    }

    @Locked("shop")
    @Transactional
    public void afterLook() {
        afterLook = point;
        ledger.write();
    }

    @Locked("shop")
    public void inAfterCommit() {
        transact(() -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                sales.requiresNew(point);
            }
        }));
    }

    @Locked("shop")
    public void afterCommit() {
        sales.required(() -> {});
        point.run();
    }

    @Locked("shop")
    public void audit() {
        point.run();
        sales.audit();
    }

    @Locked("shop")
    public void readOnly() {
        sales.readOnly(point);
    }

    @Locked(value = "shelf", mode = Mode.READ)
    @Transactional
    public void reading() {
        sell();
    }

    @Locked({"shop", "other"})
    @Transactional
    public void both() {
        sell();
    }

    @Locked("shop")
    public void outer(Shop proxy) {
        proxy.inner();
    }

    @Locked("other")
    @Transactional
    public void inner() {
        sell();
    }

    @Locked("shop")
    @Transactional
    public void again(Shop proxy) {
        ledger.write();
        proxy.apart();
    }

    @Locked("shop")
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void apart() {
        sell();
    }

    @Locked(value = "shop", inTransaction = InTransaction.HOLD_UNTIL_COMPLETION)
    public void held() {
        sell();
    }

    @Locked("shop")
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    @TransactionalEventListener(condition = "#sold.committed")
    public void listening(Sold sold) {
        ledger.write();
        sold.point.run();
    }

    @Async
    @Locked("shop")
    @Transactional
    public CompletableFuture<Void> elsewhere() {
        sell();
        return CompletableFuture.completedFuture(null);
    }

    @Locked("shop")
    public void handedOver() {
        sales.elsewhere(point).join();
    }

    @Locked("shop")
    public CompletableFuture<Void> later() {
        pending = CompletableFuture.runAsync(() -> transact(this::sell));
        return pending;
    }

    @Locked("shop")
    @Transactional
    public Mono<Void> subscribed() {
        return Mono.fromRunnable(() -> sales.without(point));
    }

    @Locked("shop")
    public Mono<Void> reactive() {
        // Who cancels it, as a loss does, is not to have the row counted before the work is done.
        return Mono.fromFuture(() -> pending = CompletableFuture.runAsync(() -> sales.required(point)), true);
    }

    @Locked("shop")
    public void second() {
        sales.second(point);
    }

    @Locked("shop")
    public void betweenTwo() {
        transact(() -> {
            ledger.write();
            sales.second(() -> {});
            point.run();
        });
    }

    @Locked("shop")
    public void deaf() {
        sales.deaf(point);
    }

    @Locked("shop")
    @Transactional("deaf")
    public void deafAlone() {
        sell();
    }

    @LeaderOnly(value = "shops", otherwise = Locked.Otherwise.THROW)
    @Transactional
    public void leading() {
        sell();
    }

    @LeaderOnly(value = "shops", otherwise = Locked.Otherwise.THROW)
    public void leadingInside() {
        sell();
    }

    @LeaderOnly(value = "shops", otherwise = Locked.Otherwise.THROW)
    @Locked(value = "shop", inTransaction = InTransaction.HOLD_UNTIL_COMPLETION)
    public void leadingHeld() {
        sell();
    }

    @Scheduled(initialDelay = 1, fixedDelay = 1, timeUnit = TimeUnit.DAYS)
    @Locked("shop")
    @Transactional
    public void scheduled() {
        sell();
    }
}
