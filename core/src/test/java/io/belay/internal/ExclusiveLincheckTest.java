package io.belay.internal;

import io.belay.internal.time.StepLock;
import io.belay.servers.Proof;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Steps run one at a time; whatever is to follow them is done once, one after the other, and nothing is left undone. */
@Tag("lincheck")
public class ExclusiveLincheckTest {
    private final StepLock steps = new StepLock(() -> {});
    private final AtomicInteger added = new AtomicInteger();
    /** Plain on purpose: one thread does it after the other. */
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
        steps.run(this::add);
    }

    /** What follows a step may begin another one, as an answer inside the call does. */
    @Operation
    public void sendTwo() {
        steps.run(() -> {
            added.incrementAndGet();
            steps.later(() -> {
                one();
                steps.run(this::add);
            });
        });
    }

    private void add() {
        added.incrementAndGet();
        steps.later(this::one);
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
        Lincheck.schedules()
                .iterations(Proof.times(3, 10))
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(2)
                .sequentialSpecification(Sequential.class)
                .check(ExclusiveLincheckTest.class);
    }
}
