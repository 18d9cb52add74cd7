package io.belay.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.belay.Belay;
import io.belay.BelayOptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The page that asks again and again: what another start has told, or another application at the same address, is not this one's. */
class EmbeddedTest {
    private final String store = "memory:" + UUID.randomUUID();
    private final ClientEvents events = ClientEvents.create();

    private EmbeddedDashboard pages(Belay belay) {
        return EmbeddedDashboard.of(belay, events, Optional.empty(), "belay/", Optional.empty());
    }

    private static EmbeddedDashboard.Answer after(EmbeddedDashboard pages, String number) throws Exception {
        return pages.get("frame", Map.of("after", number));
    }

    /** Returns the number of the frame that comes, to which a busy machine may take longer than is waited for one. */
    private static String number(EmbeddedDashboard pages, String after) {
        EmbeddedDashboard.Answer frame =
                Awaitility.await().until(() -> after(pages, after), answer -> answer.status() != 204);
        assertThat(frame.status()).isEqualTo(200);
        return JsonMapper.shared().readTree(frame.body()).get("number").asString();
    }

    @Test
    void aPageThatAnotherHasToldMoreSeesTheFrameOnce() throws Exception {
        try (Belay belay = Belay.connect(store, events.listenTo(BelayOptions.defaults()));
                EmbeddedDashboard one = pages(belay);
                EmbeddedDashboard other = pages(belay)) {
            for (EmbeddedDashboard pages : List.of(one, other)) {
                Awaitility.await().until(() -> after(pages, "").status() == 200);
            }
            String told = number(one, "4800");
            // There may be a further frame by now, but none that comes after the last possible one.
            String last = told.replaceFirst("[0-9]+$", Long.toString(Long.MAX_VALUE));
            assertThat(after(one, last).status()).isEqualTo(204);
            assertThat(number(other, last)).isNotEqualTo(told);
        }
    }

    /** A view would take the full names that the page shows for names of its own. */
    @Test
    void aViewOfANamespaceIsRefused() throws Exception {
        try (Belay belay = Belay.connect(store, events.listenTo(BelayOptions.defaults()))) {
            Belay view = belay.onBehalfOf("order 1").namespace("shop");
            assertThatIllegalArgumentException().isThrownBy(() -> pages(view)).withMessageContaining("namespace");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Dashboard.start(view, events, DashboardOptions.local(0)))
                    .withMessageContaining("namespace");
            try (EmbeddedDashboard pages = pages(belay.onBehalfOf("order 1"))) {
                assertThat(pages.get("", Map.of()).status()).isEqualTo(200);
            }
        }
    }
}
