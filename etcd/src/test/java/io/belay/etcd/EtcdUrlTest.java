package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spi.StoreException;
import io.etcd.jetcd.ByteSequence;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EtcdUrlTest {
    @Test
    void defaults() {
        EtcdUrl url = EtcdUrl.parse("etcd://localhost");
        assertThat(url.tls()).isNull();
        assertThat(url.hosts()).isEqualTo("localhost:2379");
        assertThat(url.prefix()).isEqualTo("belay/");
        assertThat(url.timeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(url.password()).isNull();
        assertThat(url.tokenEpoch()).isZero();
    }

    @Test
    void everythingAtOnce() {
        EtcdUrl url = EtcdUrl.parse("etcds://us%25er:p@s?s%2F@a:1,[::1]:2,c/?prefix=x/y:&timeout=500ms&token-epoch=7"
                + "&ca=/a%20b.pem&cert=/c&key=/k");
        assertThat(url.user()).isEqualTo("us%er");
        assertThat(url.password()).isEqualTo("p@s?s/");
        assertThat(url.addresses()).containsExactly("a:1", "[::1]:2", "c:2379");
        assertThat(url.prefix()).isEqualTo("x/y:");
        assertThat(url.timeout()).isEqualTo(Duration.ofMillis(500));
        assertThat(url.tokenEpoch()).isEqualTo(7);
        assertThat(url.tls()).isEqualTo(new Tls("/a b.pem", "/c", "/k"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "etcd:localhost | must begin with etcd://",
                "etc://localhost | must begin with etcd://",
                "etcd:// | names no host",
                "etcd://a,,b | names no host",
                "etcd://a:0 | has the port 0",
                "etcd://a:99999 | has the port 99999",
                "etcd://a/b | has a host that is none",
                "etcd://geheim@a | must have USER:PASSWORD",
                "etcd://:geheim@a | must have USER:PASSWORD",
                "etcd://u:geheim%@a | a % that begins no code",
                "etcd://a?geheim | a parameter that is not known, 'geheim'",
                "etcd://a?ca=/x | a parameter that is not known, 'ca'; known are prefix, timeout, token-epoch",
                "etcd://a?prefix= | has 'prefix' without a value",
                "etcd://a?prefix=a b | has a 'prefix' that is not",
                "etcd://a?timeout=5 | has a 'timeout' that is not like 500ms",
                "etcd://a?timeout=1ms | not between 10ms and 10m",
                "etcd://a?timeout=1s&timeout=2s | has 'timeout' twice",
                "etcd://a?token-epoch=-1 | a number from 0 to 99",
                "etcds://a?cert=/x | has one of 'cert' and 'key'"
            })
    void whatIsWrongIsNamed(String url, String message) {
        assertThatThrownBy(() -> EtcdUrl.parse(url))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(message)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n", "geheim@", "geheim%"));
    }

    /** As systemd calls the directory of the credentials that it gives to a unit. */
    @ParameterizedTest
    @ValueSource(strings = {"/run/credentials/shop@1.service/ca.pem", "/run/ca@shop.pem"})
    void aFileMayHaveAnAtSignInItsName(String file) {
        EtcdUrl url = EtcdUrl.parse("etcds://u:p@ss@etcd-1,etcd-2?timeout=1s&ca=" + file);
        assertThat(url.password()).isEqualTo("p@ss");
        assertThat(url.hosts()).isEqualTo("etcd-1:2379, etcd-2:2379");
        assertThat(url.tls()).isEqualTo(new Tls(file, null, null));
        assertThat(EtcdUrl.parse("etcds://etcd-1/?ca=" + file)).satisfies(plain -> {
            assertThat(plain.password()).isNull();
            assertThat(plain.tls()).isEqualTo(url.tls());
        });
    }

    @Test
    void jetcdGetsEachHostAsItIsWritten() {
        EtcdUrl url = EtcdUrl.parse("etcd://shop_etcd_1,a.1b:5,[::1]:2,münchen");
        assertThat(URI.create(EtcdUrl.target(url.addresses())).getPath())
                .isEqualTo("/shop_etcd_1:2379,a.1b:5,[::1]:2,münchen:2379");
    }

    /** The value of a variable may be a password with such a thing in it. */
    @Test
    void whatIsPutInForAVariableIsNotLookedThroughForOthers() {
        assertThat(EtcdUrl.parse("etcd://shop:pa${BELAY_NO_SUCH}x@a").password())
                .isEqualTo("pa${BELAY_NO_SUCH}x");
    }

    /** No name is the beginning of another's keys, whatever is in it. */
    @ParameterizedTest
    @CsvSource({"a, a/b", "a, a%2Fb", "a/b, a%2Fb", "a%2Fb, a/b", "é, e\u0301"})
    void namesDoNotMix(String name, String other) {
        Keys keys = new Keys("belay/");
        ByteSequence key = ByteSequence.from(keys.claim(other, -1, Long.MIN_VALUE, 1, 0), StandardCharsets.UTF_8);
        assertThat(key.startsWith(keys.claims(name))).isFalse();
        assertThat(key.startsWith(keys.claims(other))).isTrue();
        assertThat(Keys.parse(key.toString(StandardCharsets.UTF_8)))
                .isEqualTo(new Keys.Claim(-1, Long.MIN_VALUE, 1, 0));
    }

    @ParameterizedTest
    @CsvSource({"belay/claims/x/y", "belay/claims/x/1-2-3-4", "belay/claims/x/", "x"})
    void whatIsNoKeyOfAClaimIsNone(String key) {
        assertThat(Keys.parse(key)).isNull();
    }
}
