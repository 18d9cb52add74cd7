package io.belay.internal.machine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.internal.Lincheck;
import io.belay.servers.Proof;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Shows that Lincheck bites: the list of callers under a lock, as the machine uses it, is linearizable; the same queue
 * without the lock is not.
 */
@Tag("lincheck")
public class CallerListLincheckTest {

    private static final class Nobody extends Caller {
        Nobody() {
            super(new Asks(NEVER, 0, new AtomicLong(), "", false, false), false);
        }

        @Override
        public String threadName() {
            return "nobody";
        }

        @Override
        protected Caller successor(long now) {
            return this;
        }
    }

    /** As the machine uses it. */
    public static class Guarded {
        private final Caller.Row queue = new Caller.Row();
        private final ReentrantLock lock = new ReentrantLock();
        private int added;
        private int taken;

        @Operation
        public int add() {
            lock.lock();
            try {
                queue.add(new Nobody());
                return ++added;
            } finally {
                lock.unlock();
            }
        }

        @Operation
        public int poll() {
            lock.lock();
            try {
                if (queue.size == 0) {
                    return 0;
                }
                queue.remove(queue.first());
                return ++taken;
            } finally {
                lock.unlock();
            }
        }
    }

    /** The same, without the lock. */
    public static class Unguarded {
        private final Caller.Row queue = new Caller.Row();
        private int added;
        private int taken;

        @Operation
        public int add() {
            queue.add(new Nobody());
            return ++added;
        }

        @Operation
        public int poll() {
            if (queue.size == 0) {
                return 0;
            }
            queue.remove(queue.first());
            return ++taken;
        }
    }

    private static ModelCheckingOptions options() {
        return Lincheck.schedules()
                .iterations(Proof.times(3, 10))
                .invocationsPerIteration(200)
                .threads(2)
                .actorsPerThread(2);
    }

    @Test
    void underItsLockTheQueueIsLinearizable() {
        options().check(Guarded.class);
    }

    @Test
    @Tag("long")
    void withoutTheLockARaceIsFound() {
        assertThatThrownBy(() -> options().check(Unguarded.class)).isInstanceOf(LincheckAssertionError.class);
    }
}
