package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.header;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.headerDoesNotExist;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.requestTo;
import static org.springframework.test.web.client.response.MockRestResponseCreators.withSuccess;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.spring.Locked.Mode;
import java.util.List;
import java.util.function.LongBinaryOperator;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.web.client.MockRestServiceServer;
import org.springframework.test.web.client.RequestMatcher;
import org.springframework.web.client.RestClient;

/** What requests carry that go out under a lock. */
class FencingTokenInterceptorTest {
    private final RestClient.Builder builder =
            RestClient.builder().requestInterceptor(FencingTokenInterceptor.ofLocked());
    private final MockRestServiceServer service =
            MockRestServiceServer.bindTo(builder).build();
    private final RestClient client = builder.build();

    static class Shop {
        @Locked("stock")
        public void sell(LongConsumer work) {
            work.accept(CurrentLease.get().token());
        }

        @Locked("day")
        public void sellInside(Shop inner, LongBinaryOperator work) {
            long day = CurrentLease.get().token();
            inner.sell(stock -> work.applyAsLong(day, stock));
        }

        @Locked(value = "stock", mode = Mode.READ)
        public void count(Runnable work) {
            work.run();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class Application {
        @Bean
        static Belay belay() {
            return Belay.connect("memory:interceptor");
        }

        @Bean
        Shop shop() {
            return new Shop();
        }
    }

    private void expect(RequestMatcher matcher) {
        service.reset();
        service.expect(requestTo("http://stock/")).andExpect(matcher).andRespond(withSuccess());
    }

    private void send() {
        client.post().uri("http://stock/").retrieve().toBodilessEntity();
        service.verify();
    }

    @Test
    void aRequestUnderLocksCarriesTheirTokens() {
        try (var application = new AnnotationConfigApplicationContext(Application.class)) {
            Shop shop = application.getBean(Shop.class);
            shop.sell(token -> {
                expect(header("Fencing-Token", "stock=" + token));
                send();
            });
            shop.sellInside(shop, (day, stock) -> {
                expect(header("Fencing-Token", "day=" + day + ", stock=" + stock));
                send();
                return 0;
            });
        }
    }

    @Test
    void aRequestOfAReaderOrUnderNoLockGoesOutAsItIs() {
        try (var application = new AnnotationConfigApplicationContext(Application.class)) {
            expect(headerDoesNotExist("Fencing-Token"));
            send();
            application.getBean(Shop.class).count(() -> {
                expect(headerDoesNotExist("Fencing-Token"));
                send();
            });
        }
    }

    @Test
    void leasesThatAreGivenCountAsTheyAre() throws Exception {
        try (Belay belay = Belay.connect("memory:given")) {
            Lease lease = belay.lock("job").acquire();
            Lease reader = belay.readWriteLock("both").readLock().acquire();
            RestClient.Builder given =
                    RestClient.builder().requestInterceptor(FencingTokenInterceptor.of(() -> List.of(lease)));
            MockRestServiceServer jobs = MockRestServiceServer.bindTo(given).build();
            jobs.expect(header("Fencing-Token", "job=" + lease.token())).andRespond(withSuccess());
            given.build().get().uri("http://jobs/").retrieve().toBodilessEntity();
            jobs.verify();

            RestClient wrong = RestClient.builder()
                    .requestInterceptor(FencingTokenInterceptor.of(() -> List.of(reader)))
                    .build();
            assertThatThrownBy(() ->
                            wrong.get().uri("http://127.0.0.1:1/").retrieve().toBodilessEntity())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'both' is a reader's");
        }
    }
}
