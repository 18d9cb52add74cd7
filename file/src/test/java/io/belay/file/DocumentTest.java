package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spi.RandomStates;
import io.belay.spi.Sink;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class DocumentTest {
    @Test
    void everyChangedBitOfADocumentIsFound() {
        byte[] bytes = document(7, 99, 5);
        Document document = new Document();
        parse(document, bytes, 7, 99, 5);
        assertThat(document.size()).isEqualTo(2);
        assertThat(document.resource(document.find(ResourceNames.bytes("b"))))
                .isEqualTo(new RandomStates(4).resource());
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> parse(document, damaged, 7, 99, 5)).isInstanceOf(Damage.class);
        }
    }

    @Test
    void aWholeDocumentOfAnotherHeadIsRefused() {
        byte[] bytes = document(7, 99, 5);
        Document document = new Document();
        assertThatThrownBy(() -> parse(document, bytes, 8, 99, 5)).isInstanceOf(Damage.class);
        assertThatThrownBy(() -> parse(document, bytes, 7, 98, 5)).isInstanceOf(Damage.class);
        assertThatThrownBy(() -> parse(document, bytes, 7, 99, 6)).isInstanceOf(Damage.class);
    }

    private static byte[] document(long version, long client, int bucket) {
        Document document = new Document();
        document.put(-1, ResourceNames.bytes("a"), new RandomStates(3).resource());
        document.put(-1, ResourceNames.bytes("b"), new RandomStates(4).resource());
        Sink out = new Sink();
        document.write(out, version, client, bucket);
        return out.toByteArray();
    }

    private static void parse(Document document, byte[] bytes, long version, long client, int bucket) {
        document.copy(ByteBuffer.wrap(bytes), 0, bytes.length);
        document.parse(bytes.length, version, client, bucket);
    }
}
