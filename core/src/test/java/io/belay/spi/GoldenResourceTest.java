package io.belay.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Resources as bytes, as another version has written them: read as they were, and written the same. */
class GoldenResourceTest {
    static List<String> names() {
        return Golden.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void aResourceIsReadAndWrittenAsEver(String name) {
        Sink out = new Sink();
        ResourceCodec.encode(Golden.resource(name), out);
        byte[] kept = Golden.bytes(getClass(), "resource-" + name + ".hex", out.toByteArray());
        assertThat(ResourceCodec.decode(ByteBuffer.wrap(kept))).isEqualTo(Golden.resource(name));
        assertThat(out.toByteArray()).isEqualTo(kept);
    }
}
