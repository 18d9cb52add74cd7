package io.belay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Owner;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The text in nodes as another version has written it: read as it was, and written the same. */
class GoldenDetailsTest {
    private static final String TEXT = "weight=5&reweights=3&marked=true&sticky=false&lease=30000000&hold=0"
            + "&entered=1800000000000000&waiters=2&process=4711&host=host&client=a+%26+b&thread=%C3%BC%25";

    private static final Details DETAILS = new Details(
            5, 3, true, false, 30_000_000, 0, 1_800_000_000_000_000L, 2, Owner.of("a & b", "host", 4_711, "\u00fc%"));

    private static final String SHOWN = TEXT + "&behalf=order+%C3%BC&since=1800000000000009";
    private static final Details SHOWN_DETAILS = DETAILS.ownedBy(Owner.of("a & b", "host", 4_711, "\u00fc%")
            .withThread("\u00fc%", "order \u00fc")
            .withSince(1_800_000_000_000_009L));

    @Test
    void detailsAreReadAndWrittenAsEver() {
        assertGolden(TEXT, DETAILS);
    }

    @Test
    void whoHasItNowIsReadAndWrittenAsEver() {
        assertGolden(SHOWN, SHOWN_DETAILS);
    }

    private static void assertGolden(String text, Details details) {
        assertThat(DetailsText.decode(text.getBytes(StandardCharsets.US_ASCII))).isEqualTo(details);
        assertThat(new String(DetailsText.encode(details), StandardCharsets.US_ASCII))
                .isEqualTo(text);
    }

    @Test
    void whatAnEarlierVersionDidNotTellIsNotKnown() {
        Owner owner =
                DetailsText.decode(TEXT.getBytes(StandardCharsets.US_ASCII)).owner();
        assertThat(owner.behalf()).isEmpty();
        assertThat(owner.since()).isZero();
    }

    /** A later version may add fields, and leave out what has a default. */
    @Test
    void whatALaterVersionAddsIsPassedOver() {
        assertThat(DetailsText.decode("weight=5&colour=red".getBytes(StandardCharsets.US_ASCII))
                        .weight())
                .isEqualTo(5);
    }
}
