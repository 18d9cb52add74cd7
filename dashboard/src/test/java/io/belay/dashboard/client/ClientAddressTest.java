package io.belay.dashboard.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who asks stands in an address, and is seen nowhere. */
class ClientAddressTest {
    private static final Map<String, String> VARIABLES = Map.of("TOKEN", "a/b+c=@: %", "HOST", "shop:8080");

    @Test
    void aPasswordOfAVariableIsTakenAsItIs() {
        URI address = ClientAddress.of("http://any:${TOKEN}@${HOST}/client?x=1", VARIABLES);
        assertThat(address.getUserInfo()).isEqualTo("any:a/b+c=@: %");
        assertThat(address.getHost()).isEqualTo("shop");
        assertThat(address.getPort()).isEqualTo(8080);
        assertThat(ClientAddress.withoutUser(address)).hasToString("http://shop:8080/client?x=1");
        assertThat(ClientAddress.shown(address)).isEqualTo("http://shop:8080/client");
    }

    @Test
    void aPortThatIsNoneIsRefused() {
        assertThatThrownBy(() -> ClientAddress.of("http://shop:99999/client", VARIABLES))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--client");
    }

    /** Of what throws otherwise than it is foreseen, the next answer comes all the same. */
    @Test
    void whoAsksGoesOnAfterAnyFailure() {
        ClientPoller poller = new ClientPoller(HttpClient.newHttpClient(), URI.create("http://127.0.0.1:99999/client"));
        try {
            for (int time = 0; time < 2; time++) {
                long before = poller.last().nanos();
                await().until(() -> {
                    poller.ask();
                    return poller.last().nanos() != before;
                });
                assertThat(poller.last().failure()).contains("port");
            }
        } finally {
            poller.close();
        }
    }

    @Test
    void aVariableThatIsNotSetIsNamedAndAPasswordThatIsWrongIsNot() {
        assertThatThrownBy(() -> ClientAddress.of("http://any:${NIX}@shop/client", VARIABLES))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'NIX'");
        assertThatThrownBy(() -> ClientAddress.of("http://any:ge/heim@shop/client", VARIABLES))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("%40")
                .hasMessageNotContaining("heim");
    }
}
