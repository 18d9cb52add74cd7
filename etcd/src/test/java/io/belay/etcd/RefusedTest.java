package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.StoreUnavailableException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users are told: one line, that names the place and the cure, without a password in it. */
class RefusedTest {
    /** As none of them is for java.net.URI. */
    @ParameterizedTest
    @ValueSource(strings = {"no_such_host.invalid", "münchen.invalid", "no-such-host.1b", "[::ffff:127.0.0.1]:1"})
    void aHostWithAnUnusualNameIsAskedForLikeAnyOther(String host) {
        assertThatThrownBy(() -> Belay.connect("etcd://" + host))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("etcd at " + host);
    }

    @Test
    void nobodyThere() throws Exception {
        try (Socket bound = new Socket()) {
            // Nobody listens on it, nor can anybody else meanwhile.
            bound.bind(new InetSocketAddress("127.0.0.1", 0));
            String place = "127.0.0.1:" + bound.getLocalPort();
            for (String login : new String[] {"", "shop:geheim@"}) {
                assertThatThrownBy(() -> Belay.connect("etcd://" + login + place))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageEndingWith(
                                "etcd at " + place + " cannot be reached: Connection refused; is it running?")
                        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n", "geheim"));
            }
        }
    }
}
