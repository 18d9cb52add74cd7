package io.belay.trials.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.trials.library.Libraries;
import io.belay.trials.library.Library;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A client that cannot be opened while the store is struck tries again; whatever else is thrown is to be judged. */
class ClientMainTest {
    private static Library open(List<RuntimeException> thrown) {
        return ClientMain.insist(Libraries.BELAY, () -> {
            throw thrown.remove(0);
        });
    }

    @Test
    void onlyThatTheStoreDoesNotAnswerIsForgiven() {
        RuntimeException misconfigured = new StoreMisconfiguredException("no such database", null);
        List<RuntimeException> thrown =
                new ArrayList<>(List.of(new StoreUnavailableException("it is down", null), misconfigured));
        assertThatThrownBy(() -> open(thrown)).isSameAs(misconfigured);
        assertThat(thrown).isEmpty();
    }
}
