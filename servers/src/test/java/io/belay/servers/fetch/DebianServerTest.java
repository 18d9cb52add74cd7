package io.belay.servers.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("selftest")
class DebianServerTest {
    @Test
    void aListNamesServers() {
        assertThat(DebianServer.parse("")).isEmpty();
        assertThat(DebianServer.parse(" redis-8.0, mysql-9.7,"))
                .containsExactly(DebianServer.REDIS_8_0, DebianServer.MYSQL_9_7);
    }

    @Test
    void aNameThatNobodyHasIsToldWithThoseThereAre() {
        assertThatThrownBy(() -> DebianServer.parse("redis-9"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("redis-9", "redis-8.0", "valkey-9", "etcd-3.5");
    }

    @Test
    void aVersionIsKnownByItsBeginningAfterTheEpoch() {
        assertThat(DebianServer.MARIADB_11_8.matches("1:11.8.6-0+deb13u1")).isTrue();
        assertThat(DebianServer.MARIADB_11_8.matches("1:11.80.1-1")).isFalse();
        assertThat(DebianServer.MYSQL_9_7.matches("9.7.4-2")).isTrue();
        assertThat(DebianServer.MYSQL_9_7.matches("9.8.0-1")).isFalse();
        assertThat(DebianServer.VALKEY_9.matches("9.1.2-1")).isTrue();
    }
}
