package io.belay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SmokeTest {
    @Test
    void runsInsideTheNamedModule() {
        assertThat(SmokeTest.class.getModule().getName()).isEqualTo("io.belay");
    }
}
