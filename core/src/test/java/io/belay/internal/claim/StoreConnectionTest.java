package io.belay.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.BelayOptions;
import io.belay.internal.time.Threads;
import io.belay.internal.time.Time;
import io.belay.spi.Store;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class StoreConnectionTest {
    private final BelayOptions options = BelayOptions.defaults();
    private final List<Runnable> started = new ArrayList<>();
    private final List<CompletionStage<Store.Snapshot>> answers = new ArrayList<>();
    private long now;

    private final Time time = new Time() {
        @Override
        public long nanos() {
            return now;
        }

        @Override
        public long wallMillis() {
            return 0;
        }
    };

    private final Threads threads = new Threads() {
        @Override
        public Thread start(String name, Runnable body) {
            started.add(body);
            return new Thread(body);
        }

        @Override
        public void park(Object blocker) {}

        @Override
        public void parkNanos(Object blocker, long nanos) {}

        @Override
        public void unpark(Thread thread) {}
    };

    private static <T> T fake(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** The first answer comes while the thread that connects has more to do, which takes it longer than a request may. */
    @Test
    void whoAsksOnceTheStoreIsThereIsNotToldThatItDoesNotAnswer() {
        StoreConnection[] later = new StoreConnection[1];
        Store store = fake(Store.class, (proxy, method, arguments) -> {
            if (arguments == null) {
                return null; // what the store can do, which nobody asks for here
            } else if (arguments[0].equals("first")) {
                now += options.requestTimeout().toNanos();
                answers.add(later[0].inspect("second"));
            }
            return CompletableFuture.completedFuture(null);
        });
        later[0] = new StoreConnection(
                listener -> store,
                fake(StoreConnection.Watcher.class, (proxy, method, arguments) -> null),
                time,
                threads,
                options);
        later[0].start();
        answers.add(later[0].inspect("first"));
        started.forEach(Runnable::run);
        assertThat(answers)
                .hasSize(2)
                .allSatisfy(answer -> assertThat(answer.toCompletableFuture()).isCompleted());
    }
}
