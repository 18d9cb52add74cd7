package io.belay;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A lease that does what another does: all of it, whatever is added to leases. */
class ForwardingLeaseTest {
    private final List<String> called = new ArrayList<>();
    private final CompletableFuture<ReleaseOutcome> later = new CompletableFuture<>();
    private final Lease lease = (Lease) Proxy.newProxyInstance(
            Lease.class.getClassLoader(), new Class<?>[] {Lease.class}, (proxy, method, arguments) -> {
                called.add(method.getName());
                return answer(method.getReturnType());
            });
    private final Lease forwarding = new ForwardingLease(lease) {};

    private Object answer(Class<?> type) {
        return type == void.class || type == Lease.class
                ? null
                : List.of(
                                "x",
                                7L,
                                OptionalInt.of(1),
                                true,
                                Duration.ofSeconds(3),
                                ReleaseOutcome.UNKNOWN,
                                LockMode.SHARED,
                                later)
                        .stream()
                        .filter(one -> type.isInstance(one)
                                || type == long.class && one instanceof Long
                                || type == boolean.class && one instanceof Boolean)
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void eachMethodCallsThatOfTheSameName() throws Exception {
        Consumer<LeaseLostException> listener = loss -> {};
        List<Method> methods = Arrays.stream(Lease.class.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .toList();
        assertThat(methods).hasSizeGreaterThan(10);
        for (Method method : methods) {
            Object[] arguments = Arrays.stream(method.getParameterTypes())
                    .map(type -> type == Duration.class ? Duration.ofSeconds(1) : listener)
                    .toArray();
            Object result = method.invoke(forwarding, arguments);
            assertThat(called).as(method.toString()).containsExactly(method.getName());
            assertThat(result)
                    .as(method.toString())
                    .isEqualTo(method.getReturnType() == Lease.class ? forwarding : answer(method.getReturnType()));
            called.clear();
        }
        assertThat(forwarding).hasToString("x");
    }
}
