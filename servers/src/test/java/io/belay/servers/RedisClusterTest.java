package io.belay.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.servers.RedisServer.Version;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("selftest")
@Tag("long")
class RedisClusterTest {
    @ParameterizedTest
    @EnumSource
    void movesSlotsAndReplacesMasters(Version version) throws Exception {
        try (RedisCluster cluster = RedisCluster.start(version)) {
            int slot = cluster.slotOf("k");
            RedisServer source = cluster.masterOf(slot);
            RedisServer target = cluster.nodes().subList(0, 3).stream()
                    .filter(node -> node != source)
                    .findFirst()
                    .orElseThrow();
            assertThat(cluster.nodes().subList(3, 6))
                    .allMatch(node -> role(node).equals("slave"));
            source.command("SET", "k", "v");
            assertThatThrownBy(() -> target.command("GET", "k")).hasMessageContaining("MOVED " + slot);

            SlotMigration migration = cluster.migrate(slot, target);
            assertThat(source.command("GET", "k")).isEqualTo("v");
            migration.moveKeys();
            assertThatThrownBy(() -> source.command("GET", "k")).hasMessageContaining("ASK " + slot);
            assertThat(cluster.masterOf(slot)).isSameAs(source);
            migration.finish();
            assertThat(cluster.masterOf(slot)).isSameAs(target);
            assertThat(target.command("GET", "k")).isEqualTo("v");

            cluster.nodes().get(cluster.nodes().indexOf(target) + 3).awaitSync(target);
            RedisServer replica = cluster.failOver(target);
            assertThat(replica).isSameAs(cluster.nodes().get(cluster.nodes().indexOf(target) + 3));
            assertThat(replica.command("GET", "k")).isEqualTo("v");
        }
    }

    private static String role(RedisServer node) {
        try {
            return node.role();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
