package io.belay.internal;

import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Whatever was put into the outbox is sent once, no two sends at a time, and nothing stays in it. */
public class OutboxLincheckTest {
    private final Outbox outbox = new Outbox();
    private final AtomicInteger added = new AtomicInteger();
    /** Plain on purpose: the outbox lets one thread send after the other. */
    private int sent;

    private boolean sending;
    private volatile boolean broken;

    /** Every send comes to its end, wherever it happens. */
    public static class Sequential {
        public void send() {}

        public void sendTwo() {}
    }

    @Operation
    public void send() {
        add();
        outbox.flush();
    }

    /** What is sent may add to what is to be sent, as an answer inside the call does. */
    @Operation
    public void sendTwo() {
        added.incrementAndGet();
        outbox.add(() -> {
            one();
            add();
            outbox.flush();
        });
        outbox.flush();
    }

    private void add() {
        added.incrementAndGet();
        outbox.add(this::one);
    }

    private void one() {
        broken |= sending;
        sending = true;
        sent++;
        sending = false;
    }

    @Validate
    public void allIsSent() {
        if (broken || sent != added.get()) {
            throw new IllegalStateException("broken " + broken + ", sent " + sent + " of " + added);
        }
    }

    @Test
    void inManySchedules() {
        new ModelCheckingOptions()
                .iterations(10)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(2)
                .sequentialSpecification(Sequential.class)
                .check(OutboxLincheckTest.class);
    }
}
