package io.belay.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.RedisServer.Version;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("selftest")
@Tag("long")
class RedisSentinelsTest {
    @Test
    void aReplicaBecomesTheMaster() throws Exception {
        try (RedisSentinels trio = RedisSentinels.start(Version.V6_2, 1)) {
            RedisServer first = trio.servers().get(0);
            RedisServer second = trio.servers().get(1);
            assertThat(trio.master()).isSameAs(first);
            assertThat(trio.addresses().split(",")).hasSize(3);
            first.command("SET", "k", "v");
            second.awaitSync(first);

            first.kill();
            assertThat(trio.awaitFailover(first)).isSameAs(second);
            assertThat(second.command("GET", "k")).isEqualTo("v");
            assertThat(second.command("SET", "k", "w")).isEqualTo("OK");
        }
    }
}
