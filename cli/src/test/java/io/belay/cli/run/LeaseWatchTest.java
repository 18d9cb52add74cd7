package io.belay.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LossReason;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
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

    /** As where others run when the watch is to begin. */
    @Test
    void aLeaseThatWasTakenAwayBeforeTheFirstLookIsToldAsThat() throws Exception {
        LeaseLostException loss = LeaseLostException.of("m", 1)
                .lost(LossReason.FORCED)
                .held(Duration.ZERO)
                .withMessage("Lost the lock 'm'");
        AtomicReference<Consumer<LeaseLostException>> listener = new AtomicReference<>();
        AtomicInteger looks = new AtomicInteger();
        assertThat(told(Duration.ofMinutes(5), (proxy, method, args) -> switch (method.getName()) {
                    case "remaining" -> Duration.ZERO;
                    case "isHeld" -> {
                        if (looks.incrementAndGet() == 3) {
                            listener.get().accept(loss);
                        }
                        yield false;
                    }
                    case "name" -> "m";
                    default -> {
                        listener.set(consumer(args[0]));
                        yield proxy;
                    }
                }))
                .isEqualTo("Lost the lock 'm'");
    }

    @SuppressWarnings("unchecked")
    private static Consumer<LeaseLostException> consumer(Object listener) {
        return (Consumer<LeaseLostException>) listener;
    }

    /** Returns what is told of a lease that ends soon, where it might have been held for so much longer. */
    private static String told(Duration longest) throws InterruptedException {
        return told(longest, (proxy, method, args) -> switch (method.getName()) {
            case "remaining" -> LEFT;
            case "isHeld" -> true;
            case "name" -> "m";
            default -> proxy;
        });
    }

    private static String told(Duration longest, InvocationHandler calls) throws InterruptedException {
        Lease lease = (Lease) Proxy.newProxyInstance(Lease.class.getClassLoader(), new Class<?>[] {Lease.class}, calls);
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
