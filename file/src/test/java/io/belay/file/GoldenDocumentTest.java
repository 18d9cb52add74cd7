package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Golden;
import io.belay.spi.Resource;
import io.belay.spi.Sink;
import java.nio.ByteBuffer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A bucket's document as another version has written it: read as it was, and written the same. */
class GoldenDocumentTest {
    private static final long VERSION = 7;
    private static final long CLIENT = 99;
    private static final int BUCKET = 5;

    /** What versions wrote whose claims had no tail. */
    @Test
    void aDocumentOfAnEarlierVersionIsRead() {
        assertKept(Golden.bytes(getClass(), "bucket.hex", written()), Golden::resource);
    }

    @Test
    void aDocumentIsReadAndWrittenAsEver() {
        byte[] now = written();
        byte[] kept = Golden.bytes(getClass(), "bucket-2.hex", now);
        assertKept(kept, Golden::shown);
        assertThat(now).isEqualTo(kept);
    }

    private static void assertKept(byte[] kept, Function<String, Resource> resources) {
        Document document = new Document();
        document.copy(ByteBuffer.wrap(kept), 0, kept.length);
        document.parse(kept.length, VERSION, CLIENT, BUCKET);
        for (String name : Golden.names()) {
            assertThat(document.resource(document.find(ResourceNames.bytes(name))))
                    .isEqualTo(resources.apply(name));
        }
    }

    private static byte[] written() {
        Document document = new Document();
        for (String name : Golden.names()) {
            document.put(-1, ResourceNames.bytes(name), Golden.shown(name));
        }
        Sink out = new Sink();
        document.write(out, VERSION, CLIENT, BUCKET);
        return out.toByteArray();
    }
}
