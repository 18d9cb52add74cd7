package io.belay.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.spring.CurrentLease;
import io.belay.spring.Locked;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A test of an application whose own store is nowhere. */
@SpringBootTest(properties = "belay.url=redis://127.0.0.1:1")
@AutoConfigureTestLocks("shared")
class TestLocksTest {
    @Autowired
    private Counter counter;

    @Autowired
    private Belay belay;

    /** Counts under a lock. */
    public static class Counter {
        @Locked("counter")
        public long count() {
            return CurrentLease.get().token();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Counter counter() {
            return new Counter();
        }
    }

    @Test
    void theLocksAreInMemory() {
        assertThat(counter.count()).isPositive();
        try (Belay other = Belay.connect("memory:shared")) {
            Lease held = other.lock("counter").tryAcquire().orElseThrow();
            assertThat(belay.admin().inspect("counter").claims().get(0).own()).isFalse();
            held.release();
        }
    }
}
