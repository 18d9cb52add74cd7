package io.belay.dashboard.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What browsers make of the address that was printed, and what is none of ours. */
class OwnHostsTest {
    private static OwnHosts at(String address, int port, String... names) throws Exception {
        return new OwnHosts(new InetSocketAddress(InetAddress.getByName(address), port), Set.of(names));
    }

    @ParameterizedTest
    @CsvSource({
        "2001:db8:0:0:0:0:0:1, 7420, [2001:db8::1]:7420",
        "2001:db8:0:0:0:0:0:1, 7420, [2001:DB8:0:0:0:0:0:1]:7420",
        "2001:db8:0:0:0:0:0:1, 80, [2001:db8::1]",
        "fe80:0:0:0:0:0:0:1%1, 7420, [fe80::1]:7420",
        "0:0:0:0:0:0:0:1, 7420, [::1]:7420",
        "0:0:0:0:0:0:0:1, 7420, localhost:7420",
        "127.0.0.1, 80, 127.0.0.1",
        "127.0.0.1, 80, localhost:80",
        "127.0.0.1, 80, [::1]",
        "192.0.2.7, 80, 192.0.2.7",
    })
    void theAddressIsKnownHoweverItIsWritten(String address, int port, String host) throws Exception {
        OwnHosts hosts = at(address, port);
        assertThat(hosts.has(host)).isTrue();
        assertThat(hosts.hasOrigin("http://" + host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:7420",
                "[2001:db8::2]:7420",
                "[2001:db8::1]",
                "[2001:db8::1]:80",
                "2001:db8::1:7420",
                "[2001:db8::1]x:7420",
                "[2001:db8::1]:7420:7420",
                "[2001:db8::1%1]:7420",
                "[evil.example]:7420",
                "[feed]:7420",
                "[::1]:7420",
                "localhost:7420",
                "x@[2001:db8::1]:7420",
                "[:]:7420",
                "[]:7420",
                ":7420",
                "[2001:db8::1]:99999",
                "[2001:db8::1]:742000",
                "",
            })
    void nobodyElseIsTakenForIt(String host) throws Exception {
        OwnHosts hosts = at("2001:db8::1", 7420, "http://", "");
        assertThat(hosts.has(host)).isFalse();
        assertThat(hosts.hasOrigin("http://" + host)).isFalse();
    }

    /** A name that leads here is not looked up, or a page of another site could have its own bound anew. */
    @Test
    void aNameIsNotItsAddress() throws Exception {
        assertThat(at("127.0.0.2", 7420).has("127.0.0.2:7420")).isTrue();
        assertThat(at("192.0.2.7", 7420).has("localhost:7420")).isFalse();
        assertThat(at("127.0.0.1", 80).has("ip6-localhost")).isFalse();
    }

    /** A proxy that encrypts leaves the port out, and has another one than this server. */
    @Test
    void aNameOfAProxyIsKnownWithTheOwnPortOfItsScheme() throws Exception {
        OwnHosts hosts = at("127.0.0.1", 7420, "Locks.example", "locks.example:8443", "[2001:db8:0::7]");
        for (String host : List.of("locks.example", "LOCKS.example:443", "locks.example:8443", "[2001:db8::7]")) {
            assertThat(hosts.has(host)).as(host).isTrue();
            assertThat(hosts.hasOrigin("https://" + host)).as(host).isTrue();
        }
        assertThat(hosts.has("locks.example:7420")).isFalse();
        assertThat(hosts.hasOrigin("ftp://locks.example")).isFalse();
    }

    /** What lies at the port of HTTPS is another server. */
    @Test
    void anOriginHasThePortOfItsScheme() throws Exception {
        assertThat(at("127.0.0.1", 80).hasOrigin("https://127.0.0.1")).isFalse();
        assertThat(at("127.0.0.1", 443).hasOrigin("http://127.0.0.1")).isFalse();
        assertThat(at("127.0.0.1", 80).hasOrigin("null")).isFalse();
    }
}
