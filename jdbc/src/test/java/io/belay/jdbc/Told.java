package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What users are told: one line, without a password in it or in its causes. */
final class Told {
    /** Part of all passwords of the tests. */
    static final String SECRET = "geheim";

    private Told() {}

    /** The message when a client does not come up. Of its threads none is left. */
    static String byConnecting(Class<? extends BelayException> type, String url) {
        Set<Thread> before = threads();
        String message = by(type, () -> Belay.connect(url).close());
        assertNoThreadsBut(before);
        return message;
    }

    static String by(Class<? extends BelayException> type, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isInstanceOf(type);
        StringWriter all = new StringWriter();
        thrown.printStackTrace(new PrintWriter(all));
        assertThat(all.toString()).doesNotContain(SECRET);
        assertThat(thrown.getMessage()).doesNotContain("\n");
        return thrown.getMessage();
    }

    /** All threads of clients: what another test has asked a pool for, which may hear no interrupt, is there on and on. */
    static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("belay-jdbc"))
                .collect(Collectors.toSet());
    }

    static void assertNoThreadsBut(Set<Thread> before) {
        await().pollDelay(Duration.ZERO).untilAsserted(() -> assertThat(before).containsAll(threads()));
    }
}
