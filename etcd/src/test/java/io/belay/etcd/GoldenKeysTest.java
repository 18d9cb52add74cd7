package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.node.Details;
import io.belay.spi.ClaimId;
import io.belay.spi.Owner;
import io.etcd.jetcd.ByteSequence;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Keys and values as another version has written them: read as they were, and written the same. */
class GoldenKeysTest {
    private static final String CLAIM = "belay/claims/a%2Fb/00000000000012ab-0000000000000003-8-1";
    private static final String VALUE = "claim=fffffffffffffffe&weight=5&reweights=3&marked=true&sticky=false"
            + "&lease=30000000&hold=0&entered=1800000000000000&waiters=2&process=4711&host=host&client=c&thread=t";
    private static final Details DETAILS =
            new Details(5, 3, true, false, 30_000_000, 0, 1_800_000_000_000_000L, 2, Owner.of("c", "host", 4_711, "t"));

    @Test
    void keysAreCalledAsEver() {
        Keys keys = new Keys("belay/");
        assertThat(keys.claim("a/b", 0x12ab, 3, 8, 1)).isEqualTo(CLAIM);
        assertThat(Keys.parse(CLAIM)).isEqualTo(new Keys.Claim(0x12ab, 3, 8, 1));
        assertThat(keys.capacity("a/b").toString(StandardCharsets.UTF_8)).isEqualTo("belay/capacities/a%2Fb");
        assertThat(keys.layout().toString(StandardCharsets.UTF_8)).isEqualTo("belay/layout");
        assertThat(keys.ended(ClaimId.of(0x12ab, 3)).toString(StandardCharsets.UTF_8))
                .isEqualTo("belay/ended/00000000000012ab-0000000000000003");
    }

    @Test
    void valuesAreReadAndWrittenAsEver() {
        assertGolden(VALUE, DETAILS);
    }

    @Test
    void whoHasItNowIsReadAndWrittenAsEver() {
        Owner now =
                Owner.of("c", "host", 4_711, "t2").withThread("t2", "order 7").withSince(1_800_000_000_000_009L);
        Details details = new Details(5, 3, true, false, 30_000_000, 0, 1_800_000_000_000_000L, 2, now);
        assertGolden(VALUE + "2&behalf=order+7&since=1800000000000009", details);
    }

    private static void assertGolden(String text, Details details) {
        ByteSequence value = ByteSequence.from(text, StandardCharsets.UTF_8);
        assertThat(Values.number(value)).isEqualTo(-2);
        assertThat(Values.details(value)).isEqualTo(details);
        assertThat(Values.of(-2, details)).isEqualTo(value);
    }
}
