package io.belay.dashboard.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.dashboard.client.RecentEvents.Entry;
import io.belay.dashboard.client.RecentEvents.Kind;
import org.junit.jupiter.api.Test;

/** What a client tells of its outages comes in no order. */
class RecentEventsTest {
    private static final Entry AWAY = new Entry(1, "", "away", "no answer", -1);

    private final RecentEvents events = new RecentEvents();

    private void assertLasted(Long... millis) {
        assertThat(events.newest(Kind.OUTAGE)).extracting(Entry::lastedMillis).containsExactly(millis);
    }

    @Test
    void anEndThatIsToldBeforeItsBeginningIsTheNextOnes() {
        events.back(5);
        events.add(Kind.LOSS, AWAY);
        events.add(Kind.OUTAGE, AWAY);
        assertLasted(5L);
        events.add(Kind.OUTAGE, AWAY);
        assertLasted(-1L, 5L);
    }

    @Test
    void anOutageThatHasEndedIsNotEndedAgain() {
        events.add(Kind.OUTAGE, AWAY);
        events.back(7);
        events.back(5);
        assertLasted(7L);
        events.add(Kind.OUTAGE, AWAY);
        assertLasted(5L, 7L);
    }
}
