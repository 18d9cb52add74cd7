package io.belay.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An error at the end of a step leaves the lock free, and an outbox that somebody empties. */
@Timeout(600)
class StepLockTest {
    private static final Error ERROR = new NoClassDefFoundError("thrown by the test");

    private final List<String> done = new ArrayList<>();

    @Test
    void whatEndsAStepIsTriedAgainByTheNextAndIsNoErrorOfWhoTookIt() {
        StepLock steps = new StepLock(new StepLock.Owner() {
            private boolean failed;

            @Override
            public void settle() {}

            @Override
            public void rearm() {
                if (!failed) {
                    failed = true;
                    throw ERROR;
                }
                done.add("its end");
            }
        });
        steps.run(() -> done.add("a step"));
        steps.run(() -> done.add("another"));
        assertThat(done).containsExactly("a step", "another", "its end");
    }

    /** As where no stack is left, while another thread takes a step. */
    @Test
    void whoCannotDoWhatFollowsHasTheLockAgainOnceItIsFree() throws Exception {
        StepLock steps = new StepLock(() -> {});
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch failed = new CountDownLatch(1);
        Thread other = new Thread(() -> steps.run(() -> {
            begun.countDown();
            await(failed);
            done.add("a step");
        }));
        other.start();
        begun.await();
        steps.follow(new ArrayList<>() {
            @Override
            public int size() {
                failed.countDown();
                throw ERROR;
            }
        });
        assertThat(steps.isHeldExclusively()).isTrue();
        assertThat(done).containsExactly("a step");
        steps.later(() -> done.add("what follows"));
        steps.close();
        other.join();
        assertThat(done).containsExactly("a step", "what follows");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
