package io.belay.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.ConnectMode;
import io.belay.StoreMisconfiguredException;
import io.belay.spi.StoreProvider;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What the core says of stores that are missing is true of those that there are: here all are on the class path. */
class ArtifactsTest {
    @Test
    void eachSchemeOfEachStoreHasAnArtifact() {
        Set<String> schemes = new TreeSet<>();
        ServiceLoader.load(StoreProvider.class).forEach(provider -> schemes.addAll(provider.schemes()));
        assertThat(Stores.ARTIFACTS.keySet()).containsExactlyInAnyOrderElementsOf(schemes);
    }

    /** However long a client waited for its store. */
    @Test
    void aUrlOfNothingIsRefusedByEachStoreAlsoWhereAClientConnectsLater() {
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
            for (String scheme : provider.schemes()) {
                assertThatThrownBy(() -> Belay.connect(
                                scheme + ":", BelayOptions.defaults().withConnectMode(ConnectMode.LATER)))
                        .as(scheme)
                        .isInstanceOf(StoreMisconfiguredException.class);
            }
        }
    }
}
