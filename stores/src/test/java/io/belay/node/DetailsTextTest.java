package io.belay.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.belay.spi.Owner;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DetailsTextTest {
    private static final Details DETAILS = new Details(
            3, 2, true, false, 30_000_000, 0, 1_790_000_000_000_000L, 7, Owner.of("a=b&c%", "höst", 4711, "line\n2"));

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void whatWasWrittenIsRead() {
        assertThat(DetailsText.decode(DetailsText.encode(DETAILS))).isEqualTo(DETAILS);
    }

    @Test
    void itIsOneLineThatPeopleCanRead() {
        assertThat(new String(DetailsText.encode(DETAILS), StandardCharsets.UTF_8))
                .startsWith("weight=3&reweights=2&marked=true&")
                .endsWith("&process=4711&host=h%C3%B6st&client=a%3Db%26c%25&thread=line%0A2");
    }

    @Test
    void whoHasItNowIsReadAsItWasWritten() {
        Owner now = DETAILS.owner().withThread("worker-1", "order 4711 & more").withSince(1_790_000_000_000_001L);
        Details details = DETAILS.ownedBy(now);
        assertThat(new String(DetailsText.encode(details), StandardCharsets.UTF_8))
                .endsWith("&thread=worker-1&behalf=order+4711+%26+more&since=1790000000000001");
        assertThat(DetailsText.decode(DetailsText.encode(details))).isEqualTo(details);
    }

    /** With a lease it would be shown to have been heard of just now, whenever that was. */
    @Test
    void itsOwnerShowsNoLease() {
        Details read = DetailsText.decode(bytes("weight=1&lease=30"));
        assertThat(read.lease()).isEqualTo(30);
        assertThat(read.owner().lease()).isZero();
        assertThat(DETAILS.ownedBy(read.owner().withLease(4)).owner().lease()).isZero();
    }

    @Test
    void otherVersionsMayKnowMoreOrLess() {
        assertThat(DetailsText.decode(bytes("weight=5&mood=good"))).isEqualTo(Details.ofWeight(5));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "=1",
                "weight=",
                "weight=x",
                "weight=0",
                "weight=-1",
                "weight=2147483648",
                "lease=1",
                "weight=1&lease=-1",
                "weight=1&&",
                "weight=1&client=%",
                "weight=1&behalf=%",
                "weight=1&since=-1",
                "weight=1&lease=9223372036854775808"
            })
    void rubbishIsRefused(String rubbish) {
        assertThatIllegalArgumentException().isThrownBy(() -> DetailsText.decode(bytes(rubbish)));
    }

    @Test
    void whatIsNoTextIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> DetailsText.decode(new byte[] {'w', (byte) 0xff}));
    }
}
