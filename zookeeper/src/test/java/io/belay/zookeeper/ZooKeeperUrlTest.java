package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spi.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ZooKeeperUrlTest {
    private static Settings parse(String url) {
        return new ZooKeeperUrl(url).parse();
    }

    @Test
    void theRestHasDefaults() {
        Settings settings = parse("zookeeper://host");
        assertThat(settings.hosts()).isEqualTo("host:2181");
        assertThat(settings.root()).isEqualTo("/belay");
        assertThat(settings.login()).isNull();
        assertThat(settings.sessionTimeout()).isEqualTo(Duration.ofSeconds(40));
        assertThat(settings.acl()).isEqualTo(ZooDefs.Ids.OPEN_ACL_UNSAFE);
        assertThat(settings.tls()).isNull();
    }

    @Test
    void everythingMayBeSaid() {
        Settings settings =
                parse("zookeeper://sh%40p:p@ss:w?rd%25@h1:1,[::1],h-3:3/apps/shop?session-timeout=30s&timeout=500ms");
        assertThat(settings.hosts()).isEqualTo("h1:1,[::1]:2181,h-3:3");
        assertThat(settings.root()).isEqualTo("/apps/shop/belay");
        assertThat(settings.login()).isEqualTo("sh@p:p@ss:w?rd%");
        assertThat(settings.sessionTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.connectTimeout()).isEqualTo(Duration.ofMillis(500));
        assertThat(settings.acl()).isEqualTo(ZooDefs.Ids.CREATOR_ALL_ACL);
        assertThat(parse("zookeeper://u:p@h?acl=open").acl()).isEqualTo(ZooDefs.Ids.OPEN_ACL_UNSAFE);
    }

    /** As systemd calls the directory of the credentials that it gives to a unit. */
    @Test
    void aFileMayHaveAnAtSignInItsName(@TempDir Path directory) throws Exception {
        String ca = Files.createFile(directory.resolve("ca@shop.1")).toString();
        Settings settings = parse("zookeepers://u:p@ss@zk-1:1,[::1]/apps/shop?timeout=1s&ca=" + ca);
        assertThat(settings.login()).isEqualTo("u:p@ss");
        assertThat(settings.hosts()).isEqualTo("zk-1:1,[::1]:2281");
        assertThat(settings.root()).isEqualTo("/apps/shop/belay");
        assertThat(settings.tls()).isEqualTo(new Tls(ca, null));
        assertThat(parse("zookeepers://zk-1?ca=" + ca).login()).isNull();
    }

    @Test
    void tlsHasAPortAndFilesOfItsOwn() {
        Settings settings = parse("zookeepers://host");
        assertThat(settings.hosts()).isEqualTo("host:2281");
        assertThat(settings.config().getProperty(ZKClientConfig.SECURE_CLIENT)).isEqualTo("true");
        assertThat(parse("zookeeper://host").config().getProperty(ZKClientConfig.SECURE_CLIENT))
                .isNotEqualTo("true");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "zookeper://host|must begin with zookeeper://",
                "zookeeper:host|must begin with zookeeper://",
                "zookeeper://|names no host",
                "zookeeper://a,,b|names no host",
                "zookeeper://::1|[brackets]",
                "zookeeper://a b|characters",
                "zookeeper://a:0|port",
                "zookeeper://a:x|port",
                "zookeeper://a:65536|port",
                "zookeeper://a/x//y|path",
                "zookeeper://a/x/../y|path",
                "zookeeper://a/zookeeper|own",
                "zookeeper://user@a|USER:PASSWORD@",
                "zookeeper://:p@a|USER:PASSWORD@",
                "zookeeper://u:%zz@a|%25",
                "zookeeper://a?x=1|'x'",
                "zookeeper://a?acl|NAME=VALUE",
                "zookeeper://a?acl=all|open and creator",
                "zookeeper://a?timeout=1|500ms",
                "zookeeper://a?timeout=1s&timeout=2s|twice",
                "zookeeper://a?session-timeout=1ms|100ms",
                "zookeeper://a?session-timeout=999999999m|to a day",
                "zookeeper://a?ca=/x|zookeepers://",
                "zookeepers://a?ca=/no/such/file|/no/such/file",
                "zookeepers://a?verify=none|'verify'"
            })
    void mistakesAreNamed(String url, String named) {
        assertThatThrownBy(() -> parse(url))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(named)
                .hasMessageNotContaining("\n")
                .matches(error -> !((StoreException) error).isTemporary());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zookeeper://user:s3cret@",
                "zookeeper://user:s3cret@a b",
                "zookeeper://user:s3cret@a?bad",
                "s3cret://host",
                "zookeeper://user:s3cret%@host"
            })
    void noPasswordIsRepeated(String url) {
        assertThatThrownBy(() -> parse(url)).hasMessageNotContaining("s3cret");
    }

    @Test
    void whatZooKeeperRepeatsHidesTheLogin() {
        assertThat(parse("zookeeper://user:s3cret@host").line("says user:s3cret"))
                .contains("host:2181")
                .doesNotContain("s3cret");
    }
}
