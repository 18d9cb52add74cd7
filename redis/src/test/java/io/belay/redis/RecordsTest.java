package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The owners in records: those of an earlier version are shorter, those of a later one may be longer. */
class RecordsTest {
    private static final Owner OWNER = Owner.of("client", "host", 7, "thread")
            .withThread("thread", "order \u00fc")
            .withSince(1_700_000_000_000_000L)
            .withLease(5);
    private static final int TAIL = 1 + "order \u00fc".length() + 1 + 2 * Long.BYTES;

    /** Returns the record of a lock that was just taken; its owner stands last, behind its length. */
    private static byte[] record(Owner owner) {
        ClaimSpec spec = ClaimSpec.whole(30_000_000);
        byte[] argument = Wire.encode(Request.Enter.of("x", ClaimId.of(7, 1), spec, 0, owner));
        ByteBuffer out = ByteBuffer.allocate(17 + argument.length);
        return out.put((byte) 'b').putLong(9).putLong(8).put(argument).array();
    }

    /** Makes the owner longer, or shorter. */
    private static byte[] resized(byte[] record, int by) {
        int length = Wire.encode(Request.Describe.of("x", ClaimId.of(7, 1), 1, OWNER)).length - 24 - 8 - 2;
        byte[] resized = Arrays.copyOf(record, record.length + by);
        return ByteBuffer.wrap(resized)
                .putShort(record.length - length - 2, (short) (length + by))
                .array();
    }

    private static Owner owner(byte[] record) {
        return Records.read(ByteBuffer.wrap(record))
                .orElseThrow()
                .claims()
                .get(0)
                .owner();
    }

    @Test
    void anOwnerIsReadAsItWasWritten() {
        assertThat(owner(record(OWNER))).isEqualTo(OWNER);
        Owner plain = Owner.of("", "", -1, "");
        assertThat(owner(record(plain))).isEqualTo(plain);
    }

    @Test
    void anEarlierVersionEndsWithTheThread() {
        assertThat(owner(resized(record(OWNER), -TAIL))).isEqualTo(Owner.of("client", "host", 7, "thread"));
    }

    @Test
    void aLaterVersionMaySayMore() {
        assertThat(owner(resized(record(OWNER), 3))).isEqualTo(OWNER);
    }

    @Test
    void aTailThatIsCutOffIsDamage() {
        for (int cut = 1; cut < TAIL; cut++) {
            byte[] damaged = resized(record(OWNER), -cut);
            assertThatThrownBy(() -> owner(damaged))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("not a record");
        }
    }
}
