package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spi.Resource;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CodecTest {
    @Test
    void whatIsWrittenIsRead() {
        RandomStates states = new RandomStates(1);
        for (int i = 0; i < 5_000; i++) {
            Resource resource = states.resource();
            assertThat(Codec.decode(ByteBuffer.wrap(encode(resource)))).isEqualTo(resource);
        }
    }

    @Test
    void rubbishIsRefusedOrIsAnotherResourceButNeverAnythingElse() {
        RandomStates states = new RandomStates(2);
        Random random = new Random(2);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = encode(states.resource());
            if (random.nextBoolean()) {
                bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 3));
            }
            for (int k = random.nextInt(4); k > 0 && bytes.length > 0; k--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                Codec.decode(ByteBuffer.wrap(bytes));
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageStartingWith("not a resource");
            }
        }
    }

    @Test
    void everyChangedBitOfADocumentIsFound() {
        byte[] bytes = document(7, 99, 5);
        Document document = new Document();
        parse(document, bytes, 7, 99, 5);
        assertThat(document.size()).isEqualTo(2);
        assertThat(document.resource(document.find(Names.bytes("b")))).isEqualTo(new RandomStates(4).resource());
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
        document.put(-1, Names.bytes("a"), new RandomStates(3).resource());
        document.put(-1, Names.bytes("b"), new RandomStates(4).resource());
        Sink out = new Sink();
        document.write(out, version, client, bucket);
        return Arrays.copyOf(out.bytes, out.length);
    }

    private static void parse(Document document, byte[] bytes, long version, long client, int bucket) {
        document.copy(ByteBuffer.wrap(bytes), 0, bytes.length);
        document.parse(bytes.length, version, client, bucket);
    }

    private static byte[] encode(Resource resource) {
        Sink out = new Sink();
        Codec.encode(resource, out);
        return Arrays.copyOf(out.bytes, out.length);
    }
}
