package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.spring.Locked.Otherwise;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import reactor.core.publisher.Mono;

/** A client that a test has replaced by a mock, which answers nothing. */
class MockedClientTest {
    /** Works under locks, and where it leads. */
    public static class Work {
        @Locked("work")
        public void run() {}

        @Locked(value = "work", otherwise = Otherwise.SKIP)
        public void skip() {}

        @Locked("work")
        public CompletableFuture<String> later() {
            return CompletableFuture.completedFuture("done");
        }

        @Locked("work")
        public Mono<String> mono() {
            return Mono.just("done");
        }

        @LeaderOnly("leads")
        public Optional<String> leading() {
            return Optional.of("done");
        }

        @LeaderOnly(value = "leads", otherwise = Otherwise.THROW)
        public void leadingOnly() {}
    }

    private final Belay mock = (Belay) Proxy.newProxyInstance(
            Belay.class.getClassLoader(),
            new Class<?>[] {Belay.class},
            (proxy, method, arguments) ->
                    method.getDeclaringClass() == Object.class ? method.invoke(this, arguments) : null);

    @Test
    void givesNoLocksAndSaysWhatDoes() {
        String cure = "the client is a mock (" + mock.getClass().getName()
                + "), and gives no locks: take @AutoConfigureTestLocks instead, which has them in memory";
        String lines = Lines.of(() -> {
            try (AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext()) {
                application.registerBean(Belay.class, () -> mock);
                application.register(LockedConfiguration.class, Work.class);
                application.refresh();
                Work work = application.getBean(Work.class);
                Stream.<ThrowingCallable>of(
                                work::run,
                                work::skip,
                                work::later,
                                () -> work.mono().block())
                        .forEach(call -> assertThatThrownBy(call)
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageMatching(".*Work\\.[a-z]+ was not called: .*")
                                .hasMessageEndingWith(cure));
                assertThat(work.leading()).isEmpty();
                assertThatThrownBy(work::leadingOnly)
                        .isInstanceOf(NotLeaderException.class)
                        .hasMessageEndingWith("this process does not lead 'leads': " + cure);
            }
        });
        assertThat(lines).contains("Nobody stands for 'leads': " + cure);
    }
}
