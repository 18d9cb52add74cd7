package io.belay.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.spring.boot.BelayAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;

/** A test that has no auto-configuration but what its annotations bring, as those of slices do it. */
@SpringBootTest(classes = TestLocksTest.Application.class, properties = "belay.url=redis://127.0.0.1:1")
@OverrideAutoConfiguration(enabled = false)
@AutoConfigureTestLocks
class SliceTest {
    @Autowired
    private TestLocksTest.Counter counter;

    @Autowired
    private ApplicationContext context;

    @Test
    void theLocksAreThere() {
        assertThat(counter.count()).isPositive();
        assertThat(context.getBeansOfType(Belay.class)).hasSize(1);
        assertThat(context.getBeansOfType(BelayAutoConfiguration.class)).hasSize(1);
    }
}
