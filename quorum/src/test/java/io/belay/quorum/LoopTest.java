package io.belay.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever a step throws, the others go on. */
class LoopTest {
    private final Loop loop = new Loop();
    private final List<String> done = new ArrayList<>();

    @Test
    void anErrorEndsItsOwnStepAlone() {
        loop.run(() -> {
            loop.run(() -> done.add("brought by the one that fails"));
            throw new NoClassDefFoundError("planned");
        });
        loop.run(() -> {
            throw new IllegalStateException("planned");
        });
        loop.run(() -> done.add("later"));
        assertThat(done).containsExactly("brought by the one that fails", "later");
    }
}
