package io.belay.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OwnerTest {
    /** Stores write UTF-8, in which half a pair is a question mark. */
    @Test
    void aTextIsNotCutWithinACharacter() {
        String most = "a".repeat(Owner.MAX_TEXT - 1);
        Owner owner = Owner.of(most + "\ud83d\ude00", "host", 1, most + "bc");
        assertThat(owner.client()).isEqualTo(most);
        assertThat(owner.thread()).isEqualTo(most + "b");
        assertThat(owner.withThread("t", most + "\ud83d\ude00").behalf()).isEqualTo(most);
    }
}
