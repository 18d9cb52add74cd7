package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Golden;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Documents as another version has written them: read as they were, and written the same. */
class GoldenStateTest {
    static List<String> names() {
        return Golden.names();
    }

    /** What versions wrote that knew format 1 alone. */
    @ParameterizedTest
    @MethodSource("names")
    void aDocumentOfAnEarlierVersionIsRead(String name) {
        States.State state = new States.State(Golden.resource(name), Golden.TIME + 5);
        byte[] kept = Golden.bytes(getClass(), "document-" + name + ".hex", States.encode(state));
        assertThat(kept[0]).isEqualTo((byte) 1);
        assertThat(States.decode("x", kept)).isEqualTo(state);
    }

    @ParameterizedTest
    @MethodSource("names")
    void aDocumentIsReadAndWrittenAsEver(String name) {
        States.State state = new States.State(Golden.shown(name), Golden.TIME + 5);
        byte[] kept = Golden.bytes(getClass(), "document-2-" + name + ".hex", States.encode(state));
        assertThat(States.decode("x", kept)).isEqualTo(state);
        assertThat(States.encode(state)).isEqualTo(kept);
    }
}
