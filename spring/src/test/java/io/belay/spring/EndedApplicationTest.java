package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.ClientClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Calls that come first when the application has ended, as tasks do that nobody waits for. */
class EndedApplicationTest {
    private static final List<String> MADE = new ArrayList<>();

    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class Application {
        @Bean
        static Belay belay() {
            MADE.add("client");
            return Belay.connect("memory:ended");
        }

        @Bean
        static LockedDefaults defaults() {
            MADE.add("defaults");
            return new LockedDefaults(Duration.ofMinutes(10), null);
        }

        @Bean
        static LockDecorator decorator() {
            MADE.add("decorator");
            return lock -> lock;
        }

        @Bean
        static Sale sale() {
            return new Sale();
        }
    }

    static class Sale {
        @Locked("of any client")
        public void sell() {}

        @Locked(value = "of one", belay = "belay")
        public void sellByName() {}
    }

    @Test
    void findTheClientClosedAndMakeNoOther() {
        AnnotationConfigApplicationContext application = Applications.of(Application.class);
        Sale sale = application.getBean(Sale.class);
        application.close();
        assertThatThrownBy(sale::sell).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(sale::sellByName).isInstanceOf(ClientClosedException.class);
        assertThat(MADE).containsExactlyInAnyOrder("client", "defaults", "decorator");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class WithALazyClient {
        private static int clients;

        @Bean
        @Lazy
        static Belay belay() {
            clients++;
            return Belay.connect("memory:ended");
        }

        @Bean
        static Sale sale() {
            return new Sale();
        }
    }

    @Test
    void makeNoLazyClient() {
        AnnotationConfigApplicationContext application = Applications.of(WithALazyClient.class);
        Sale sale = application.getBean(Sale.class);
        sale.sell();
        application.close();
        assertThatThrownBy(sale::sell).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(sale::sellByName)
                .isInstanceOf(ClientClosedException.class)
                .hasMessage("io.belay.spring.EndedApplicationTest$Sale.sellByName was not called: the application has"
                        + " ended");
        assertThat(WithALazyClient.clients).isEqualTo(1);
    }
}
