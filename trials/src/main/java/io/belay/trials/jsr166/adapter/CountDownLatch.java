package io.belay.trials.jsr166.adapter;

import io.belay.DistributedCountDownLatch;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** {@link java.util.concurrent.CountDownLatch} on {@link DistributedCountDownLatch}. */
public class CountDownLatch {
    private final OfEachClient<DistributedCountDownLatch> latch;

    public CountDownLatch(int count) {
        String name = Adapters.freshName();
        latch = OfEachClient.make(client -> client.countDownLatch(name));
        // A latch that nobody has set is open.
        if (count != 0 && !latch.mine().trySetCount(count)) {
            throw new IllegalStateException("the latch is not new");
        }
    }

    public void await() throws InterruptedException {
        latch.mine().await();
    }

    public boolean await(long wait, TimeUnit unit) throws InterruptedException {
        return latch.mine().await(Duration.ofNanos(Math.max(0, unit.toNanos(wait))));
    }

    public void countDown() {
        latch.mine().countDown();
    }

    public long getCount() {
        return latch.mine().getCount();
    }

    @Override
    public String toString() {
        return latch.mine().toString();
    }
}
