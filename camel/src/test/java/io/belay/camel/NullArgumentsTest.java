package io.belay.camel;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.LockOptions;
import org.junit.jupiter.api.Test;

/** Null is refused at once, by its name. */
class NullArgumentsTest {
    @Test
    void aServiceNeedsAClientAndOptions() {
        assertThatThrownBy(() -> new BelayClusterService(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("belay");
        try (Belay belay = Belay.connect("memory:nulls")) {
            LockOptions none = null;
            assertThatThrownBy(() -> new BelayClusterService(belay, none))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("options");
        }
    }
}
