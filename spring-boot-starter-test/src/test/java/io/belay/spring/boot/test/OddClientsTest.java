package io.belay.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.Lease;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.test.context.ContextConfiguration;

/** A test of an application whose clients are made by factories, or are registered as they are. */
@SpringBootTest
@ContextConfiguration(initializers = OddClientsTest.Registers.class)
@AutoConfigureTestLocks("odd-clients")
class OddClientsTest {
    private static final Belay ELSEWHERE = Belay.connect("memory:elsewhere");

    @Autowired
    private Belay ofAMethod;

    @Autowired
    private Belay ofAClass;

    @Autowired
    private Belay registered;

    @AfterAll
    static void close() {
        ELSEWHERE.close();
    }

    static final class Clients implements FactoryBean<Belay> {
        @Override
        public Belay getObject() {
            return ELSEWHERE;
        }

        @Override
        public Class<Belay> getObjectType() {
            return Belay.class;
        }
    }

    static final class Registers implements ApplicationContextInitializer<GenericApplicationContext> {
        @Override
        public void initialize(GenericApplicationContext context) {
            context.getBeanFactory().registerSingleton("registered", ELSEWHERE);
            context.registerBean("ofAClass", Clients.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Clients ofAMethod() {
            return new Clients();
        }
    }

    @Test
    void theirClientsKeepTheirLocksInMemory() {
        try (Belay test = Belay.connect("memory:odd-clients")) {
            Lease held = test.lock("x").tryAcquire().orElseThrow();
            for (Belay client : List.of(ofAMethod, ofAClass, registered)) {
                assertThat(client.lock("x").tryAcquire()).isEmpty();
            }
            held.release();
        }
    }
}
