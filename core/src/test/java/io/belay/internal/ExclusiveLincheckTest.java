package io.belay.internal;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Steps run one at a time; what is to follow them runs once, one at a time and in their order, and nothing is left. */
public class ExclusiveLincheckTest {
    private final Exclusive exclusive = new Exclusive();
    // Plain on purpose: the lock guards the steps, and one thread sends after the other.
    private int decided;
    private int sent;
    private boolean sending;
    private volatile boolean broken;

    /** Every step comes to its end, wherever it happens. */
    public static class Sequential {
        public void send() {}

        public void sendAndBeAnswered() {}
    }

    @Operation
    public void send() {
        exclusive.run(() -> later(() -> {}));
    }

    /** What follows a step may bring about a step, as an answer inside the call does. */
    @Operation
    public void sendAndBeAnswered() {
        exclusive.run(() -> later(this::send));
    }

    private void later(Runnable then) {
        int number = ++decided;
        exclusive.later(() -> {
            broken |= sending || ++sent != number;
            sending = true;
            then.run();
            sending = false;
        });
    }

    @Validate
    public void allIsSent() {
        if (broken || sent != decided) {
            throw new IllegalStateException("broken " + broken + ", sent " + sent + " of " + decided);
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
                .check(ExclusiveLincheckTest.class);
    }
}
