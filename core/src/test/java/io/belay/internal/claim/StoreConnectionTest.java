package io.belay.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.BelayOptions;
import io.belay.ConnectMode;
import io.belay.internal.time.Threads;
import io.belay.internal.time.Time;
import io.belay.spi.Capabilities;
import io.belay.spi.Store;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StoreConnectionTest {
    private final BelayOptions options = BelayOptions.defaults().withConnectMode(ConnectMode.LATER);
    private final List<Runnable> started = new ArrayList<>();
    private final List<CompletionStage<Store.Snapshot>> answers = new ArrayList<>();
    /** What the store was asked and told, by the names of the methods. */
    private final List<String> told = new ArrayList<>();

    private @Nullable Error trouble;
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
        public void parkNanos(Object blocker, long nanos) {
            now += nanos;
        }

        @Override
        public void unpark(Thread thread) {}
    };

    private static <T> T fake(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Makes the connection of a client, which is started with that. */
    private StoreConnection connection(Supplier<Store> opener) {
        Engine engine = new Engine(() -> 1, options, time, threads, (client, listener) -> opener.get());
        return (StoreConnection) engine.store();
    }

    /** A store that answers at once, and in trouble tells its slice once, as it is opened, and cannot be closed. */
    private Store store() {
        return fake(Store.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "capabilities" -> Capabilities.none();
            case "slice", "close" -> {
                told.add(method.getName());
                if (told.size() > 1 && trouble != null) {
                    throw trouble;
                }
                yield method.getName().equals("slice") ? Duration.ZERO : null;
            }
            default -> CompletableFuture.completedFuture(null);
        });
    }

    private void connect(StoreConnection connection) {
        answers.add(connection.inspect("x"));
        started.forEach(Runnable::run);
    }

    @Test
    void whoAsksIsAnsweredThoughWhatFollowsTheConnectionFails() {
        trouble = new NoClassDefFoundError("thrown by the test");
        connect(connection(this::store));
        assertThat(told).containsExactly("slice", "slice");
        assertThat(answers.get(0).toCompletableFuture()).isCompleted();
    }

    @Test
    void anErrorWhileItIsToldWhyTheStoreIsAwayKeepsItFromNoFurtherAttempt() {
        AtomicInteger asked = new AtomicInteger();
        Error untold = new Error() {
            @Override
            public String getMessage() {
                asked.incrementAndGet();
                throw new NoClassDefFoundError("thrown by the test");
            }
        };
        connect(connection(() -> {
            if (asked.get() == 0) {
                throw untold;
            }
            return store();
        }));
        assertThat(asked).hasValue(1);
        assertThat(answers.get(0).toCompletableFuture()).isCompleted();
    }

    @Test
    void aStoreThatComesAfterTheEndIsClosedAndToldToNobody() {
        trouble = new NoClassDefFoundError("thrown by the test");
        StoreConnection[] closed = new StoreConnection[1];
        closed[0] = connection(() -> {
            closed[0].close();
            return store();
        });
        connect(closed[0]);
        assertThat(told).containsExactly("slice", "close");
        assertThat(answers.get(0).toCompletableFuture()).isCompletedExceptionally();
    }

    /** Something has interrupted the thread, and the driver that waited leaves it so. */
    @Test
    void anInterruptThatEndedAnAttemptDoesNotEndTheNext() {
        List<Boolean> interrupted = new ArrayList<>();
        StoreConnection connection = connection(() -> {
            interrupted.add(Thread.currentThread().isInterrupted());
            if (interrupted.size() == 1) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted, says the test");
            }
            return store();
        });
        try {
            connect(connection);
        } finally {
            assertThat(Thread.interrupted()).isFalse();
        }
        assertThat(interrupted).containsExactly(false, false);
    }

    /** The first answer comes while the thread that connects has more to do, which takes it longer than a request may. */
    @Test
    void whoAsksOnceTheStoreIsThereIsNotToldThatItDoesNotAnswer() {
        StoreConnection[] later = new StoreConnection[1];
        Store store = fake(Store.class, (proxy, method, arguments) -> {
            if (arguments == null) {
                return method.getName().equals("slice") ? Duration.ZERO : null; // of the rest nobody needs to know
            } else if (arguments[0].equals("first")) {
                now += options.requestTimeout().toNanos();
                answers.add(later[0].inspect("second"));
            }
            return CompletableFuture.completedFuture(null);
        });
        later[0] = connection(() -> store);
        answers.add(later[0].inspect("first"));
        started.forEach(Runnable::run);
        assertThat(answers)
                .hasSize(2)
                .allSatisfy(answer -> assertThat(answer.toCompletableFuture()).isCompleted());
    }
}
