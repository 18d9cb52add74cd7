package io.belay.trials.jsr166.adapter;

import io.belay.DistributedCountDownLatch;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** {@link java.util.concurrent.CountDownLatch} on {@link DistributedCountDownLatch}. */
public class CountDownLatch {
    private final DistributedCountDownLatch latch = Adapters.belay().countDownLatch(Adapters.freshName());

    public CountDownLatch(int count) {
        // A latch that nobody has set is open.
        if (count != 0 && !latch.trySetCount(count)) {
            throw new IllegalStateException("the latch is not new");
        }
    }

    public void await() throws InterruptedException {
        latch.await();
    }

    public boolean await(long wait, TimeUnit unit) throws InterruptedException {
        return latch.await(Duration.ofNanos(Math.max(0, unit.toNanos(wait))));
    }

    public void countDown() {
        latch.countDown();
    }

    public long getCount() {
        return latch.getCount();
    }

    @Override
    public String toString() {
        return latch.toString();
    }
}
