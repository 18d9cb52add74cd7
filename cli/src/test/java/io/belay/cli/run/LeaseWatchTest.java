package io.belay.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Lease;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeaseWatchTest {
    private static final Duration LEFT = Duration.ofSeconds(2);

    @Test
    void theLongestHoldIsToldApartFromAStoreThatDoesNotRenew() throws Exception {
        assertThat(told(LEFT))
                .isEqualTo("the lock 'm' ends in 2000 ms: it has been held for as long as --max-hold says");
        assertThat(told(Duration.ofMinutes(5)))
                .isEqualTo(
                        "the lock 'm' ends in 2000 ms: it could not be renewed, as the store does not answer, or refuses");
    }

    /** Returns what is told of a lease that ends soon, where it might have been held for so much longer. */
    private static String told(Duration longest) throws InterruptedException {
        Lease lease = (Lease) Proxy.newProxyInstance(
                Lease.class.getClassLoader(),
                new Class<?>[] {Lease.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "remaining" -> LEFT;
                    case "isHeld" -> true;
                    case "name" -> "m";
                    default -> proxy;
                });
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        LeaseWatch watch = new LeaseWatch(
                lease, LEFT, Duration.ZERO, System.nanoTime() + longest.toNanos(), new LeaseWatch.Listener() {
                    @Override
                    public void runsFor(Duration time) {}

                    @Override
                    public void over(String what, Duration grace) {
                        told.add(what);
                    }

                    @Override
                    public void cut(String what, Duration grace) {}
                });
        watch.start();
        String what = told.poll(1, TimeUnit.MINUTES);
        assertThat(watch.finish()).isTrue();
        return String.valueOf(what);
    }
}
