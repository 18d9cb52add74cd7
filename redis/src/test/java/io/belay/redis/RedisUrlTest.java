package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.support.UrlPasswords;
import io.lettuce.core.SslVerifyMode;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisUrlTest {
    @ParameterizedTest
    @CsvSource({
        "redis://cache, cache, 6379, 0, Redis at cache:6379",
        "redis://cache/, cache, 6379, 0, Redis at cache:6379",
        "redis://cache:1234, cache, 1234, 0, Redis at cache:1234",
        "redis://cache:1234/3, cache, 1234, 3, Redis at cache:1234",
        "redis://cache/15, cache, 6379, 15, Redis at cache:6379",
        "REDIS://Cache, Cache, 6379, 0, Redis at Cache:6379",
        "redis://10.0.0.1:65535, 10.0.0.1, 65535, 0, Redis at 10.0.0.1:65535",
        "redis://[::1], ::1, 6379, 0, Redis at [::1]:6379",
        "redis://[2001:db8::7]:6380/2, 2001:db8::7, 6380, 2, Redis at [2001:db8::7]:6380",
        "redis://u:p@[::1]:6380, ::1, 6380, 0, Redis at [::1]:6380",
        "redis://:p@cache?timeout=3s, cache, 6379, 0, Redis at cache:6379"
    })
    void hostPortAndDatabase(String url, String host, int port, int database, String address) {
        Settings settings = Settings.parse(url);
        assertThat(settings.addresses()).containsExactly(new Address(host, port));
        assertThat(settings.database()).isEqualTo(database);
        assertThat(settings.socket()).isEmpty();
        assertThat(settings.secure()).isFalse();
        assertThat(settings).hasToString(address);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "redis://:geheim@h '' geheim",
                "redis://app:geheim@h app geheim",
                "redis://app:ge:he/im@h app ge:he/im",
                "redis://app:ge@he?im#@h:1/2 app ge@he?im#",
                "redis://app:ge%25he%3Aim@h app ge%he:im",
                "redis://a%40b%3A:geheim@h a@b: geheim",
                "redis://app:ge+h%20eim@h app 'ge+h eim'",
                "redis://app:k%C3%A4se@h app käse",
                "redis://app:käse&x=1@h app käse&x=1",
                "redis://app:%24{HOME}@h app ${HOME}",
                "redis://app:{$}@h app {$}",
                "redis://:@h '' ''"
            })
    void userAndPassword(String url, String user, String password) {
        Settings settings = Redis.at(url).settings();
        assertThat(settings.user()).isEqualTo(user);
        assertThat(settings.password()).isEqualTo(password);
        assertThat(settings.host()).isEqualTo("h");
    }

    @Test
    void withoutPasswordThereIsNone() {
        assertThat(Settings.parse("redis://h").password()).isNull();
        assertThat(Settings.parse("unix:/s").password()).isNull();
    }

    @Test
    void sockets() {
        Settings settings = Settings.parse("unix:/run/my%20redis.sock?db=3&user=a&password=ge%26h@e/i:m?&timeout=1m");
        assertThat(settings.socket()).isEqualTo("/run/my%20redis.sock");
        assertThat(settings.database()).isEqualTo(3);
        assertThat(settings.user()).isEqualTo("a");
        assertThat(settings.password()).isEqualTo("ge&h@e/i:m?");
        assertThat(settings.timeout()).isEqualTo(Duration.ofMinutes(1));
        assertThat(settings).hasToString("Redis at /run/my%20redis.sock");
    }

    @Test
    void parameters() {
        Settings plain = Settings.parse("redis://h");
        assertThat(plain.prefix()).isEqualTo("belay:");
        assertThat(plain.timeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(plain.resp3()).isTrue();
        Settings other = Settings.parse("redis://h?prefix=shop/locks.1:&timeout=250ms&protocol=resp2");
        assertThat(other.prefix()).isEqualTo("shop/locks.1:");
        assertThat(other.timeout()).isEqualTo(Duration.ofMillis(250));
        assertThat(other.resp3()).isFalse();
    }

    @Test
    void tls() {
        assertThat(Settings.parse("rediss://h").tls()).isEqualTo(Tls.DEFAULT);
        Settings settings = Settings.parse("rediss://h?ca=/a%20b.pem&cert=c.pem&key=k%26.pem&verify=ca");
        assertThat(settings.secure()).isTrue();
        assertThat(settings.tls())
                .isEqualTo(new Tls(SslVerifyMode.CA, Path.of("/a b.pem"), Path.of("c.pem"), Path.of("k&.pem")));
        assertThat(Settings.parse("rediss://h?verify=none").tls().verify()).isEqualTo(SslVerifyMode.NONE);
    }

    /** As systemd names the directory of a service's credentials, which has an @ in it. */
    @Test
    void filesHaveAnAtInTheirNames() {
        Path file = Path.of("/run/credentials/shop@1.service/ca.pem");
        Settings server = Settings.parse("rediss://:ge@heim@h:6380/2?timeout=1s&ca=" + file);
        assertThat(server.addresses()).containsExactly(new Address("h", 6380));
        assertThat(server.login()).isEqualTo(new Login("", "ge@heim"));
        assertThat(server.database()).isEqualTo(2);
        assertThat(server.tls().ca()).isEqualTo(file);
        assertThat(Settings.parse("rediss://h?ca=/a@b").login()).isEqualTo(Login.NONE);
        Settings sentinels = Settings.parse(
                "rediss-sentinel://app:geheim@a:1,[::1]:2/3?ca=" + file + "&master=m&sentinel-password=ge@heim");
        assertThat(sentinels.addresses()).containsExactly(new Address("a", 1), new Address("::1", 2));
        assertThat(sentinels.login()).isEqualTo(new Login("app", "geheim"));
        assertThat(sentinels.sentinelLogin()).isEqualTo(new Login("", "ge@heim"));
        assertThat(sentinels.tls().ca()).isEqualTo(file);
    }

    @Test
    void hostsOfACluster() {
        Settings settings = Settings.parse("redis-cluster://app:ge,heim@a,[::1]:7001,c:7002/?timeout=1s");
        assertThat(settings.addresses())
                .containsExactly(new Address("a", 6379), new Address("::1", 7001), new Address("c", 7002));
        assertThat(settings.cluster()).isTrue();
        assertThat(settings.secure()).isFalse();
        assertThat(settings).hasToString("Redis cluster at a:6379, [::1]:7001, c:7002");
        assertThat(settings.at(new Address("c", 7002))).hasToString("Redis at c:7002");
        assertThat(Settings.parse("rediss-cluster://a?verify=ca").secure()).isTrue();
    }

    @Test
    void sentinels() {
        Settings settings = Settings.parse(
                "rediss-sentinel://app:geheim@a,[::1]:7001/3?master=m&sentinel-user=s&sentinel-password=auch%20geheim");
        assertThat(settings.addresses()).containsExactly(new Address("a", 26379), new Address("::1", 7001));
        assertThat(settings.sentinels()).isTrue();
        assertThat(settings.secure()).isTrue();
        assertThat(settings.database()).isEqualTo(3);
        assertThat(settings.place().master()).isEqualTo("m");
        assertThat(settings.login()).isEqualTo(new Login("app", "geheim"));
        assertThat(settings.sentinelLogin()).isEqualTo(new Login("s", "auch geheim"));
        assertThat(settings.at(new Address("b", 6380))).hasToString("Redis at b:6380, the master 'm',");
        assertThat(settings.line("says geheim and auch geheim")).doesNotContain("geheim");
    }

    @Test
    void replicas() {
        assertThat(Settings.parse("redis://h").replicas()).isEqualTo(ReplicaPolicy.NONE);
        assertThat(Settings.parse("redis://h?replicas=2").replicas())
                .isEqualTo(new ReplicaPolicy(2, Duration.ofMillis(100)));
        assertThat(Settings.parse("unix:/s?replicas=1&replica-timeout=1s").replicas())
                .isEqualTo(new ReplicaPolicy(1, Duration.ofSeconds(1)));
        assertThat(Settings.parse("redis://h/3?replicas=2").rights()).endsWith("+pttl +wait +select");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "->",
            quoteCharacter = '`',
            value = {
                "redis:geheim@h -> must be redis://HOST[:PORT][/DATABASE]",
                "rediss:/h -> must be rediss://HOST[:PORT][/DATABASE]",
                "redis:// -> names no host",
                "redis://:geheim@ -> names no host",
                "redis://:geheim@:6379 -> names no host",
                "redis://h:0 -> has a port that is no number from 1 to 65535",
                "redis://h:65536 -> has a port that is no number from 1 to 65535",
                "redis://h: -> has a port that is no number from 1 to 65535",
                "redis-cluster://a,,b -> names no host",
                "redis-cluster://a/1 -> names a database, and a cluster has none but the first; leave out what stands behind the /",
                "redis-cluster://a?ca=x -> which is for TLS; write rediss-cluster://",
                "redis-sentinel://a -> does not say what the sentinels call the master; add ?master=NAME",
                "redis-sentinel://a?master=m&sentinel-user=x -> has 'sentinel-user' without 'sentinel-password'",
                "redis-sentinel://a?master=m&sentinel-password=x&geheim=y -> has an unknown parameter (an & in a",
                "redis-sentinel://a,:1?master=m -> names no host",
                "redis://a?master=m -> has the unknown parameter 'master'",
                "redis://h?replicas=11 -> has a number of replicas that is no number from 0 to 10",
                "redis://h?replica-timeout=1s -> has 'replica-timeout' without 'replicas'",
                "redis://h?replicas=1&replica-timeout=0ms -> has a replica-timeout of 0",
                "redis://h?replicas=1&replica-timeout=2s -> The replica-timeout of 2000 ms is not shorter than the",
                "redis://user:geheim -> has a port that is no number",
                "redis://h/x -> has a database that is no number from 0 to 1000000",
                "redis://h/-1 -> has a database that is no number",
                "redis://h/1/2 -> has a database that is no number",
                "redis://::1 -> has an IPv6 address that does not stand in [brackets]",
                "redis://a:1,b:2 -> names several hosts; write redis-cluster:// for a cluster, or redis-sentinel://...?master=NAME",
                "rediss://a,b -> write rediss-cluster:// for a cluster, or rediss-sentinel://...?master=NAME",
                "redis://geheim@h -> write USER:PASSWORD@, or :PASSWORD@ without a user",
                "redis://h?nix=/a@b -> an @ after the host as %40",
                "redis://:geheim%zz@h -> has a % in its password that begins no %XX; write %25 for the character itself",
                "redis://g%:geheim@h -> has a % in its user that begins no %XX",
                "redis://:geheim@h?nix=1 -> has the unknown parameter 'nix'; known are [ca, cert,",
                "redis://:geheim@h?db=1 -> has the unknown parameter 'db'",
                "redis://h? -> has a parameter that is not written NAME=VALUE",
                "redis://h?timeout -> has a parameter that is not written NAME=VALUE",
                "redis://h?timeout= -> has a parameter that is not written NAME=VALUE",
                "redis://h?timeout=1s& -> has a parameter that is not written NAME=VALUE",
                "redis://h?timeout=1s&timeout=2s -> has the parameter 'timeout' twice",
                "redis://h?timeout=5 -> has a timeout that is not written like 500ms, 2s or 1m",
                "redis://h?replicas=1&replica-timeout=5 -> has a replica-timeout that is not written like 500ms",
                "redis://h?timeout=-5s -> has a timeout that is not written like",
                "redis://h?timeout=0ms -> is not from 1ms to 1 hour",
                "redis://h?timeout=61m -> is not from 1ms to 1 hour",
                "redis://h?prefix=a%20b -> is not 1 to 64 letters, digits and characters of _:./-",
                "redis://h?prefix=a*b -> is not 1 to 64 letters, digits and characters of _:./-",
                "redis://h?protocol=resp4 -> has 'protocol' other than [resp2, resp3]",
                "redis://h?ca=x -> has the parameter 'ca', which is for TLS; write rediss://",
                "redis://h?verify=none -> has the parameter 'verify', which is for TLS; write rediss://",
                "rediss://h?verify=maybe -> has 'verify' other than [ca, full, none]",
                "rediss://h?cert=x -> has one of 'cert' and 'key' without the other",
                "rediss://h?ca=a%00b -> has 'ca' that cannot be a path",
                "unix:s -> must be unix:/PATH/OF/SOCKET",
                "unix:/s?password=x&geheim=y -> has an unknown parameter (an & in a password is written %26)",
                "unix:/s?password=x&geheim -> has a parameter that is not written NAME=VALUE",
                "unix:/s?user=app -> has 'user' without 'password'",
                "unix:/s?ca=x -> has the unknown parameter 'ca'",
                "unix://:geheim@/s -> before the path; write them as the parameters 'user' and 'password' behind a ?",
                "unix://:x?y=geheim@/s -> has a user or password before the path",
                "unix://geheim@/s -> has a user or password before the path",
                "redis://h?password=x@geheim -> has 'password' as a parameter; write USER:PASSWORD@, or :PASSWORD@ without a user, before the host",
                "redis://h:1/0?user=app&password=x@geheim -> has 'user' as a parameter; write USER:PASSWORD@, or :PASSWORD@ without a user, before the host",
                "redis://:auch@geheim@h?password=x@geheim -> has 'password' as a parameter",
                "redis://h?timeout=1s&PASSWD=x@geheim -> has an unknown parameter",
                "rediss-sentinel://h?password=x@geheim -> has 'password' as a parameter; write USER:PASSWORD@",
                "redis://${GEHEIM_NOT_SET}@h -> the environment variable 'GEHEIM_NOT_SET', which a URL names, is not set"
            })
    void whatIsWrong(String url, String what) {
        String told = Told.unusable(url);
        assertThat(told).contains(what).isEqualTo(Told.unusable(() -> Redis.at(url)));
        assertThat(UrlPasswords.mask(told)).as("as the commands print it").isEqualTo(told);
    }

    @Test
    void otherSchemes() {
        for (String url : new String[] {"http://geheim:geheim@h", "geheim@h", ""}) {
            assertThat(Told.unusable(() -> Redis.at(url)))
                    .endsWith(
                            "must begin with redis://, redis-cluster:// or redis-sentinel://, or with rediss for TLS, or unix:");
        }
    }

    @Test
    void aPathMayHaveAnAt() {
        assertThat(Settings.parse("unix:///run/shop@1/s").socket()).isEqualTo("///run/shop@1/s");
        assertThat(Settings.parse("unix://run/s?password=ge@heim").password()).isEqualTo("ge@heim");
    }

    @Test
    void settingsBesideTheUrlAreCheckedAsWell() {
        Redis redis = Redis.at("redis://h");
        assertThat(Told.unusable(() -> redis.withPrefix(""))).contains("The prefix ''");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT2562047788015215H30M7.999999999S", "PT0S", "PT-0.001S", "P12D"})
    void aTimeOutThatIsNoneIsToldWithItsRange(Duration timeout) {
        for (String url : new String[] {"redis://h", "redis://h?replicas=1"}) {
            Redis redis = Redis.at(url);
            assertThat(Told.unusable(() -> redis.withTimeout(timeout))).contains("is not from 1ms to 1 hour");
        }
    }
}
