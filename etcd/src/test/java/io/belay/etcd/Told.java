package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;

/** What users are told: one line that names the place, without a password in it or in its causes. */
final class Told {
    /** Part of all passwords of the tests. */
    static final String SECRET = "geheim";

    private Told() {}

    /** The message of what cannot be mended by trying again. */
    static String unusable(String url) {
        return message(StoreMisconfiguredException.class, url);
    }

    /** The message of what may be over soon. */
    static String unavailable(String url) {
        return message(StoreUnavailableException.class, url);
    }

    /** The message of either. */
    static String refused(String url) {
        return message(BelayException.class, url);
    }

    private static String message(Class<? extends BelayException> type, String url) {
        Throwable thrown = catchThrowable(() -> {
            try (Belay belay = Belay.connect(url)) {
                belay.lock("refused").acquire().close();
            }
        });
        assertThat(thrown).isInstanceOf(type);
        return checked(thrown);
    }

    static String checked(Throwable thrown) {
        for (Throwable e = thrown; e != null; e = e.getCause()) {
            assertThat(e.toString()).doesNotContain(SECRET);
        }
        return assertThat(thrown.getMessage())
                .doesNotContain("\n", "\r", "Exception", "null")
                .hasSizeBetween(25, 400)
                .actual();
    }
}
