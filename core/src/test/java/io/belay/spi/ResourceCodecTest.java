package io.belay.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ResourceCodecTest {
    @Test
    void whatIsWrittenIsRead() {
        RandomStates states = new RandomStates(1);
        for (int i = 0; i < 5_000; i++) {
            Resource resource = states.resource();
            assertThat(ResourceCodec.decode(ByteBuffer.wrap(encode(resource)))).isEqualTo(resource);
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
                ResourceCodec.decode(ByteBuffer.wrap(bytes));
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageStartingWith("not a resource");
            }
        }
    }

    private static byte[] encode(Resource resource) {
        Sink out = new Sink();
        ResourceCodec.encode(resource, out);
        return out.toByteArray();
    }
}
