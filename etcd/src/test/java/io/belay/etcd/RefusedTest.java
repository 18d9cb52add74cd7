package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.StoreUnavailableException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** What users are told: one line, that names the place and the cure, without a password in it. */
class RefusedTest {
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
