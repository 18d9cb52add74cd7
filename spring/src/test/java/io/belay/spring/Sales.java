package io.belay.spring;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** What begins transactions in each way that there is by annotation, and knows nothing of locks. */
public class Sales {
    private final Ledger ledger;
    private final Ledger second;

    Sales(Ledger ledger, Ledger second) {
        this.ledger = ledger;
        this.second = second;
    }

    @Transactional
    public void required(Runnable point) {
        ledger.write();
        point.run();
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void requiresNew(Runnable point) {
        required(point);
    }

    @Transactional(propagation = Propagation.NESTED)
    public void nested(Runnable point) {
        required(point);
    }

    @Transactional(propagation = Propagation.MANDATORY)
    public void mandatory(Runnable point) {
        required(point);
    }

    @Transactional(propagation = Propagation.SUPPORTS)
    public void supports(Runnable point) {
        required(point);
    }

    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    public void notSupported(Runnable point) {
        required(point);
    }

    @Transactional(propagation = Propagation.NEVER)
    public void never(Runnable point) {
        required(point);
    }

    public void without(Runnable point) {
        required(point); // within the bean, and so past its proxy
    }

    @Transactional(readOnly = true)
    public void readOnly(Runnable point) {
        ledger.writeNow();
        point.run();
    }

    /** Spring commits after a checked exception. */
    @Transactional
    public void checked(Runnable point) throws IOException {
        required(point);
        throw new IOException("a checked exception");
    }

    @Unguarded
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void audit() {
        ledger.write();
    }

    @Async
    @Transactional
    public CompletableFuture<Void> elsewhere(Runnable point) {
        required(point);
        return CompletableFuture.completedFuture(null);
    }

    @Transactional("second")
    public void second(Runnable point) {
        second.write();
        point.run();
    }

    @Transactional("deaf")
    public void deaf(Runnable point) {
        required(point);
    }
}
