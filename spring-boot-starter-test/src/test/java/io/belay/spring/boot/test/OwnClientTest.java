package io.belay.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.Lease;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** A test of an application that connects its clients by itself. */
@SpringBootTest
@AutoConfigureTestLocks("own-clients")
class OwnClientTest {
    @Autowired
    private Belay belay;

    @Autowired
    @Qualifier("reports")
    private Belay other;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        @Primary
        Belay orders() {
            return Belay.connect("memory:real");
        }

        @Bean
        @Qualifier("reports")
        Belay another() {
            return Belay.connect("memory:real");
        }
    }

    @Test
    void itsClientsKeepTheirLocksInMemory() {
        try (Belay test = Belay.connect("memory:own-clients")) {
            try (Lease lease = belay.lock("x").tryAcquire().orElseThrow()) {
                assertThat(test.lock(lease.name()).tryAcquire()).isEmpty();
                assertThat(other.lock(lease.name()).tryAcquire()).isEmpty();
            }
        }
    }
}
