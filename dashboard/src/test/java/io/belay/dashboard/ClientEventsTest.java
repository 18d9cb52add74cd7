package io.belay.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.BelayListener;
import io.belay.BelayOptions;
import io.belay.LeaseLostException;
import io.belay.LossReason;
import io.belay.RequestKind;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a client tells the page it goes on telling the listener that it had. */
class ClientEventsTest {
    private static <T> T fake(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(ClientEventsTest.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object example(Class<?> type) {
        if (type == String.class) {
            return "why";
        } else if (type == Duration.class) {
            return Duration.ofSeconds(1);
        } else if (type == Instant.class) {
            return Instant.EPOCH;
        } else if (type == RequestKind.class) {
            return RequestKind.TAKE;
        } else if (type == LeaseLostException.class) {
            return LeaseLostException.of("x", 7).lost(LossReason.EXPIRED).withMessage("it is lost");
        }
        return fake(type, (proxy, method, arguments) -> example(method.getReturnType()));
    }

    @Test
    void theListenerThatWasThereIsToldOfEverything() throws Exception {
        List<String> told = new ArrayList<>();
        BelayListener own = fake(BelayListener.class, (proxy, method, arguments) -> {
            told.add(method.getName());
            return null;
        });
        BelayListener both = ClientEvents.create()
                .listenTo(BelayOptions.defaults().withListener(own))
                .listener()
                .orElseThrow();
        Method[] all = BelayListener.class.getMethods();
        for (Method one : all) {
            one.invoke(
                    both,
                    Arrays.stream(one.getParameterTypes())
                            .map(ClientEventsTest::example)
                            .toArray());
        }
        assertThat(told)
                .hasSizeGreaterThan(7)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(all).map(Method::getName).toList());
    }
}
