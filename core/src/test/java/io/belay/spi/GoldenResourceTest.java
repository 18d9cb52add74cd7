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

    /** What versions wrote that knew no tail. */
    @ParameterizedTest
    @MethodSource("names")
    void aResourceOfAnEarlierVersionIsRead(String name) {
        byte[] kept = Golden.bytes(getClass(), "resource-" + name + ".hex", encoded(Golden.resource(name)));
        assertThat(ResourceCodec.decode(ByteBuffer.wrap(kept))).isEqualTo(Golden.resource(name));
    }

    @ParameterizedTest
    @MethodSource("names")
    void aResourceIsReadAndWrittenAsEver(String name) {
        byte[] now = encoded(Golden.shown(name));
        byte[] kept = Golden.bytes(getClass(), "resource-2-" + name + ".hex", now);
        assertThat(ResourceCodec.decode(ByteBuffer.wrap(kept))).isEqualTo(Golden.shown(name));
        assertThat(now).isEqualTo(kept);
    }

    private static byte[] encoded(Resource resource) {
        Sink out = new Sink();
        ResourceCodec.encode(resource, out);
        return out.toByteArray();
    }
}
