package io.belay.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.servers.Fuzz;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * Random URLs, most of them of quorums and directories: whatever they are, they are taken, or refused in one line that
 * holds no password. A round that fails names its seed; {@code -Dbelay.seed} gives it again, and {@code -Dbelay.fuzz=100}
 * runs a hundred times as many.
 */
class UrlFuzzTest {
    /** With a character that neither hosts nor schemes have, since a part of a URL may look like one of these. */
    private static final String SECRET = "geh!eim";

    private static final List<String> URLS = List.of(
            "memory:a",
            "memory:${PATH}",
            "file:~/geh!eim/a",
            "file://user:geh!eim@host/a",
            "file:/dev/null/a?password=geh!eim",
            "redis://user:geh!eim@host:6379/1?timeout=2s",
            "redis://geh!eim@host:6379",
            "geh!eim@host:6379",
            "quorum:memory:a,memory:b,memory:c#longest-lease=60s&member-timeout=200ms",
            "quorum:memory:a,redis://:geh!eim@host,memory:c",
            "quorum:redis://u:geh!eim@a:1,redis-sentinel://b:2,c:3?master=m&sentinel-password=geh!eim,redis://geh!eim@b",
            "quorum:redis://u:ge,heim:geh!eim@a:1,redis://:geh!eim@b,redis://:geh!eim",
            "quorum:file:geh!eim,memory:b,memory:c");

    @Test
    void urls() {
        // What is a valid URL of a directory makes it, so those that are tried are none.
        Fuzz.rounds(500, random -> {
            String url = Fuzz.text(random, URLS.get(random.nextInt(URLS.size())));
            if (!url.toLowerCase(Locale.ROOT).contains("file:")) {
                tryConnect(url);
            }
        });
    }

    private static void tryConnect(String url) {
        try {
            Belay.connect(url).close();
        } catch (StoreMisconfiguredException | StoreUnavailableException e) {
            assertOneLine(e);
        }
        try {
            Belay.examine(url);
        } catch (StoreMisconfiguredException | StoreUnavailableException e) {
            assertOneLine(e);
        }
    }

    private static void assertOneLine(Throwable e) {
        assertThat(e.getMessage()).isNotBlank().doesNotContain("Exception").hasSizeLessThan(2000);
        assertThat(e.getMessage().chars().filter(Character::isISOControl)).isEmpty();
        for (Throwable t = e; t != null; t = t.getCause()) {
            assertThat(t.toString()).doesNotContain(SECRET);
        }
    }
}
