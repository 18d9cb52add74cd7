package io.belay.trials.jsr166;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.LockOptions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SettingsTest {
    @Test
    void theDefaultWayIsTriedOnEachStoreAndAllOthersOnTwo() {
        List<Way> ways =
                Stream.of(Way.values()).filter(way -> way.whyNot().isEmpty()).toList();
        Settings settings = Settings.of(List.of(), List.of());
        for (String store : TestStore.NAMES) {
            List<Way> tried = settings.all().stream()
                    .filter(one -> one.store().equals(store))
                    .map(Setting::way)
                    .toList();
            if (TestStore.whyNot(store).isPresent()) {
                assertThat(tried).isEmpty();
            } else {
                assertThat(tried).isEqualTo(List.of("memory", "redis").contains(store) ? ways : List.of(Way.DEFAULT));
            }
        }
        assertThat(settings.skipped()).hasSize((int) Stream.concat(
                        TestStore.NAMES.stream().map(TestStore::whyNot),
                        Stream.of(Way.values()).map(Way::whyNot))
                .filter(why -> why.isPresent())
                .count());
    }

    @Test
    void whatIsNamedIsTriedTogether() {
        assertThat(Settings.of(List.of("file", "memory", "file"), List.of("sticky", "default"))
                        .all())
                .extracting(Setting::title)
                .containsExactly("file, sticky", "file", "memory, sticky", "memory");
        assertThatThrownBy(() -> Settings.of(List.of(), List.of("loudly")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no way 'loudly'; there are: default, two-clients, no-barging, sticky, sticky-two-clients,"
                        + " virtual");
    }

    @Test
    void virtualThreadsTakeAJavaThatHasSuch() {
        if (Runtime.version().feature() >= 21) {
            assertThat(Settings.of(List.of("file"), List.of("virtual")).all())
                    .containsExactly(new Setting("file", Way.VIRTUAL));
            return;
        }
        String why = "--with virtual: Java " + Runtime.version().feature()
                + " has no virtual threads: set JAVA_HOME to a JDK 21 or later";
        assertThatThrownBy(() -> Settings.of(List.of("file"), List.of("virtual")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(why);
        assertThat(Settings.of(List.of("file"), List.of()).skipped()).containsExactly("skipped " + why);
    }

    @Test
    void waysDifferInClientsAndOptions() {
        LockOptions defaults = LockOptions.defaults();
        assertThat(Way.DEFAULT.options().apply(defaults)).isEqualTo(defaults);
        assertThat(Way.NO_BARGING.options().apply(defaults).barging()).isFalse();
        assertThat(Way.STICKY.options().apply(defaults).sticky()).isPresent();
        assertThat(Way.STICKY_TWO_CLIENTS.options().apply(defaults).sticky()).isPresent();
        assertThat(Stream.of(Way.values()).filter(way -> way.clients() == 2))
                .containsExactly(Way.TWO_CLIENTS, Way.STICKY_TWO_CLIENTS);
        assertThat(Stream.of(Way.values()).filter(way -> way.matters(JdkTest.LATCH)))
                .containsExactly(Way.DEFAULT, Way.TWO_CLIENTS, Way.VIRTUAL);
        assertThat(Stream.of(Way.values())).allMatch(way -> way.matters(JdkTest.COUNT));
    }
}
