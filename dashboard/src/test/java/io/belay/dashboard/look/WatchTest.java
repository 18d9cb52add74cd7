package io.belay.dashboard.look;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.dashboard.client.ClientSources;
import io.belay.servers.Pace;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The thread that reads for all pages. */
class WatchTest {
    private static <T> T standIn(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(WatchTest.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** As where no thread is to be had for a while. */
    @Test
    void anErrorInOneReadingIsNotTheEndOfAll() {
        AtomicInteger listings = new AtomicInteger();
        try (Belay belay = Belay.connect("memory:" + UUID.randomUUID())) {
            BelayAdmin admin = standIn(BelayAdmin.class, (proxy, method, arguments) -> {
                if (method.getName().equals("names") && listings.incrementAndGet() == 1) {
                    throw new OutOfMemoryError("by the test");
                }
                return method.invoke(belay.admin(), arguments);
            });
            Belay failing = standIn(Belay.class, (proxy, method, arguments) -> admin);
            View view = new View("", "");
            try (Watch watch = new Watch(failing, Optional.empty(), new ClientSources(Optional.empty(), List.of()))) {
                Awaitility.await()
                        .atMost(Pace.patience())
                        .until(() -> watch.poll(view, 0).isPresent());
            }
            assertThat(listings).hasValueGreaterThan(1);
        }
    }
}
